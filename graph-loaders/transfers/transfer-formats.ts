import type { TransferFormat } from '../reading/table-format.ts';

const HASH = ['txhash', 'transaction hash', 'txn hash', 'hash'];
const TIME = ['unixtimestamp', 'block_unix_timestamp', 'datetime (utc)', 'datetime', 'date time (utc)'];
const BLOCK = ['blockno', 'block', 'block_number'];
const ENDS = { from: ['from'], to: ['to'] };
const NFT = {
  token: ['contractaddress'],
  token_id: ['tokenid', 'token id'],
  symbol: ['tokensymbol'],
  standard: ['type'],
};
const ETHERSCAN = { hash: HASH, block: BLOCK, time: TIME, ...ENDS, method: ['method'], chain: ['chainid'] };
const BLOCKSCOUT = {
  hash: ['txhash'],
  block: ['blocknumber'],
  time: ['unixtimestamp', 'utctimestamp'],
  from: ['fromaddress'],
  to: ['toaddress'],
  created: ['contractaddress', 'createdcontractaddress'],
  fee: ['fee', 'transactionfee'],
  status: ['status'],
  error: ['errcode'],
};
const COIN_VALUES = { amount_in: ['value_in(*)'], amount_out: ['value_out(*)'] };

const H1 = `0x${'ab12'.repeat(16)}`;
const H2 = 'cd34'.repeat(16);
const [A1, A2, T1] = ['11', '22', '33'].map((byte) => `0x${byte.repeat(20)}`);
const [S1, S2] = ['4Nd1mYQyhc7xgZQvzGz3fpvPqCxUwd2tYHFdVdBPfRLm', '7GgPYjS5Dza89wV6FpZ23kUJRG5vbQ1GM25ezspYFSoE'];

/** The tables of transfers that are known by their header, the more particular ones first. */
export const TRANSFER_FORMATS: readonly TransferFormat[] = [
  {
    name: 'etherscan-internal',
    about: 'Etherscan and its kin, internal transactions',
    columns: {
      ...ETHERSCAN,
      ...COIN_VALUES,
      to: ['txto', 'to'],
      created: ['contractaddress'],
      parent_from: ['parenttxfrom'],
      status: ['status'],
      error: ['errcode'],
    },
    needs: ['hash', 'time', 'from', 'to', 'parent_from', 'amount_in', 'amount_out'],
    kind: 'internal',
    units: 'decimal',
    succeeds: ['', '0', 'success'],
    example: [
      'Txhash,Blockno,UnixTimestamp,DateTime (UTC),ParentTxFrom,ParentTxTo,ParentTxETH_Value,From,TxTo,ContractAddress,Value_IN(ETH),Value_OUT(ETH),CurrentValue @ $2500/Eth,Historical $Price/Eth,Status,ErrCode,Type',
      `${H1},19000000,1705399200,2024-01-16 10:00:00,${A2},${T1},0,${T1},${A1},,1.5,0,3750,2510,0,,call`,
    ],
  },
  {
    name: 'etherscan',
    about: 'Etherscan and its kin (BscScan, PolygonScan, …), transactions',
    columns: {
      ...ETHERSCAN,
      ...COIN_VALUES,
      created: ['contractaddress'],
      fee: ['txnfee(*)'],
      status: ['status'],
      error: ['errcode'],
    },
    needs: ['hash', 'time', 'from', 'to', 'amount_in', 'amount_out'],
    kind: 'native',
    units: 'decimal',
    example: [
      'Transaction Hash,Blockno,UnixTimestamp,DateTime (UTC),From,To,ContractAddress,Value_IN(BNB),Value_OUT(BNB),CurrentValue @ $600/BNB,TxnFee(BNB),TxnFee(USD),Historical $Price/BNB,Status,ErrCode,Method',
      `${H1},35000000,1705399200,2024-01-16 10:00:00,${A1},${A2},,0,2.25,1350,0.000105,0.06,310,,,Transfer`,
    ],
  },
  {
    name: 'etherscan-advanced',
    about: 'Etherscan, advanced filter and the lists of 2025',
    columns: { ...ETHERSCAN, amount: ['amount', 'value'], fee: ['txn fee'], status: ['status'] },
    needs: ['hash', 'time', 'from', 'to', 'amount', 'fee'],
    kind: 'native',
    units: 'decimal',
    example: [
      'Transaction Hash,Status,Method,Blockno,DateTime (UTC),From,From_Nametag,To,To_Nametag,Amount,Value (USD),Txn Fee',
      `${H1},Success,Transfer,21000000,2024-10-20 08:15:11,${A1},,${A2},,0.75 ETH,$1950.00,0.00021`,
    ],
  },
  {
    name: 'etherscan-erc1155',
    about: 'Etherscan and its kin, ERC-1155 transfers',
    columns: { ...ETHERSCAN, ...NFT, quantity: ['tokenvalue', 'quantity'] },
    needs: ['hash', 'time', 'from', 'to', 'token', 'token_id', 'quantity'],
    kind: 'erc1155',
    units: 'decimal',
    example: [
      'Txhash,Blockno,UnixTimestamp,DateTime (UTC),From,To,ContractAddress,TokenId,TokenValue,TokenName,TokenSymbol',
      `${H1},19000000,1705399200,2024-01-16 10:00:00,${A1},${A2},${T1},77,3,Lantern,LNT`,
    ],
  },
  {
    name: 'etherscan-erc721',
    about: 'Etherscan and its kin, ERC-721 transfers',
    columns: { ...ETHERSCAN, ...NFT },
    needs: ['hash', 'time', 'from', 'to', 'token', 'token_id'],
    kind: 'erc721',
    units: 'decimal',
    example: [
      'Txhash,UnixTimestamp,DateTime,From,To,ContractAddress,TokenId,TokenName,TokenSymbol',
      `${H1},1705399200,2024-01-16 10:00:00,${A1},${A2},${T1},4021,Harbour Owls,OWL`,
    ],
  },
  {
    name: 'etherscan-erc20',
    about: 'Etherscan and its kin, ERC-20 transfers',
    columns: {
      ...ETHERSCAN,
      token: ['contractaddress', 'token_address'],
      amount: ['tokenvalue', 'value'],
      symbol: ['tokensymbol'],
    },
    needs: ['hash', 'time', 'from', 'to', 'token', 'amount', 'symbol'],
    kind: 'token',
    units: 'decimal',
    example: [
      'Txhash,Blockno,UnixTimestamp,DateTime (UTC),From,To,TokenValue,USDValueDayOfTx,ContractAddress,TokenName,TokenSymbol',
      `${H1},19000000,1705399200,2024-01-16 10:00:00,${A1},${A2},"1,250.5","$1,250.50",${T1},Copper Dollar,CUSD`,
    ],
  },
  {
    name: 'etherscan-token',
    about: "Etherscan and its kin, a token's own page; `--token` names its contract",
    columns: { ...ETHERSCAN, amount: ['quantity'] },
    needs: ['hash', 'time', 'from', 'to', 'amount', 'method'],
    kind: 'token',
    units: 'decimal',
    example: [
      'Transaction Hash,Blockno,UnixTimestamp,DateTime (UTC),From,To,Quantity,Method',
      `${H1},19000000,1705399200,2024-01-16 10:00:00,${A1},${A2},10.5,Transfer`,
    ],
  },
  {
    name: 'blockscout-internal',
    about: 'Blockscout, internal transactions',
    columns: { ...BLOCKSCOUT, amount: ['value'], method: ['calltype'] },
    needs: ['hash', 'time', 'from', 'to', 'amount', 'method'],
    kind: 'internal',
    units: 'smallest',
    example: [
      'TxHash,Index,BlockNumber,BlockHash,TxIndex,BlockIndex,UnixTimestamp,FromAddress,ToAddress,ContractAddress,Type,CallType,Gas,GasUsed,Value,Input,Output,ErrCode,Fee',
      `${H1},2,19000000,,2,14,2024-01-16 10:00:00.000000Z,${T1},${A1},,call,call,90000,2300,1500000000000000000,0x,0x,,`,
    ],
  },
  {
    name: 'blockscout-tokens',
    about: 'Blockscout, token transfers',
    columns: {
      ...BLOCKSCOUT,
      created: [],
      token: ['tokencontractaddress', 'tokencontractaddresshash'],
      decimals: ['tokendecimals'],
      symbol: ['tokensymbol'],
      amount: ['tokenstransferred', 'tokenvalue'],
    },
    needs: ['hash', 'time', 'from', 'to', 'token', 'amount', 'symbol'],
    kind: 'token',
    units: 'smallest',
    example: [
      'TxHash,BlockNumber,UnixTimestamp,FromAddress,ToAddress,TokenContractAddress,Type,TokenDecimals,TokenSymbol,TokensTransferred,TransactionFee,Status,ErrCode',
      `${H1},19000000,2024-01-16 10:00:00.000000Z,${A1},${A2},${T1},OUT,6,CUSD,1250500000,21000000000000,ok,`,
    ],
  },
  {
    name: 'blockscout',
    about: 'Blockscout, transactions',
    columns: { ...BLOCKSCOUT, amount: ['value'], method: ['methodname'] },
    needs: ['hash', 'time', 'from', 'to', 'amount', 'fee'],
    kind: 'native',
    units: 'smallest',
    example: [
      'TxHash,BlockNumber,UnixTimestamp,FromAddress,ToAddress,ContractAddress,Type,Value,Fee,Status,ErrCode,CurrentPrice,TxDateOpeningPrice,TxDateClosingPrice,MethodName',
      `${H1},19000000,2024-01-16 10:00:00.000000Z,${A1},${A2},,OUT,2250000000000000000,21000000000000,ok,,2500,2510,2490,transfer`,
    ],
  },
  {
    name: 'tronscan',
    about: 'TronScan, transfers',
    columns: {
      hash: ['txn hash', 'transaction hash', 'txhash', 'hash', 'txid'],
      block: ['block', 'block number'],
      time: ['time(utc)', 'date (utc)', 'time'],
      from: ['from', 'from address', 'owner address'],
      to: ['to', 'to address'],
      amount: ['amount/tokenid', 'amount', 'quantity'],
      token: ['contract address', 'token address', 'token'],
      symbol: ['token symbol', 'symbol', 'token name', 'token'],
      status: ['result', 'status', 'contractret'],
    },
    needs: ['hash', 'time', 'from', 'to', 'amount', 'token'],
    kind: 'by_token',
    units: 'decimal',
    chain: 'tron',
    example: [
      'Txn Hash,Block,Time(UTC),From,To,Amount/TokenID,Token,Result',
      `${H2},58000000,2024-01-16 10:00:00,TJRabPrwbZy45sbavfcjinPJC18kjpRTv8,TGjYzgCyPobsNS9n6WcbdLVR9dH7mWqFx7,1250.5,USDT(TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t),SUCCESS`,
    ],
  },
  {
    name: 'solscan',
    about: 'Solscan, transfers',
    columns: {
      hash: ['signature'],
      block: ['slot'],
      time: ['block time', 'human time'],
      from: ['from'],
      to: ['to'],
      amount: ['amount'],
      decimals: ['decimals'],
      multiplier: ['multiplier'],
      token: ['token address'],
    },
    needs: ['hash', 'time', 'from', 'to', 'amount', 'decimals', 'token'],
    kind: 'by_token',
    units: 'smallest',
    chain: 'solana',
    coinToken: 'So11111111111111111111111111111111111111111',
    example: [
      'Signature,Block Time,Human Time,Action,From,To,Amount,Flow,Value,Decimals,Token Address,Multiplier',
      `${'5'.repeat(87)},1705399200,2024-01-16T10:00:00.000Z,TRANSFER,${S1},${S2},1250500000,out,131.2,9,So11111111111111111111111111111111111111111,1.0`,
    ],
  },
];

// Question: what is known of these addresses, and in which transfers did they receive from others and pay others?
// Params: $items (list of {key: `chain:address`, in_max, out_max}), $most (transfers read on a side: above every in_max
//         and out_max), $per_row (transfers of a side in one row)
// Rows: one or more per known address, in no order: key, part (0, 1 and so on), tx_in and tx_out (not counted beyond $most; null where
//       the counterparties alone are too many, or a reading found it to be a hub), received and sent, each in no order and empty
//       where the address is a hub (a side has more than its maximum): one list for each transfer: key, category, label and
//       is_contract of the other end, id, tx_hash, index, seq, at, block, position, usd, asset, amount, token, token_id, destination_tag, source_tag, fee if the address paid it, tx_sender.
//       In part 0 alone: category, scanned_at, scan_complete, read_lists, read_from, read_to, read_sources (parallel lists: what
//       was read of its history), balance_assets, balance_at, balance_amounts (parallel lists: what the chain states of
//       balances), is_contract, has_bridges (exposure/crossings has more)
UNWIND $items AS item
MATCH (a:Address {key: item.key})
WITH a, item, coalesce(a.is_hub, false) OR coalesce(a.degree_in, 0) > item.in_max
     OR coalesce(a.degree_out, 0) > item.out_max AS busy
CALL (a, item, busy) {
  WITH a, item, busy
  WHERE NOT busy
  MATCH (a)<-[t:TRANSFER]-(b:Address)
  WHERE b.key <> a.key
  // If this limit cuts, the address is a hub and the rows are discarded.
  WITH a, b, t
  LIMIT $most
  RETURN count(t) AS tx_in,
         collect([b.key, b.category, b.label, b.is_contract, t.id, t.tx_hash, t.index, t.seq, t.at, t.block, t.position, t.usd, t.asset, t.amount,
                  t.token, t.token_id, t.destination_tag, t.source_tag,
                  CASE WHEN t.fee_share IS NULL AND coalesce(t.fee_payer, t.tx_sender) = a.address THEN t.fee END, t.tx_sender]) AS received
}
CALL (a, item, busy) {
  WITH a, item, busy
  WHERE NOT busy
  MATCH (a)-[t:TRANSFER]->(b:Address)
  WHERE b.key <> a.key
  WITH a, b, t
  LIMIT $most
  RETURN count(t) AS tx_out,
         collect([b.key, b.category, b.label, b.is_contract, t.id, t.tx_hash, t.index, t.seq, t.at, t.block, t.position, t.usd, t.asset, t.amount,
                  t.token, t.token_id, t.destination_tag, t.source_tag,
                  coalesce(t.fee_share, CASE WHEN coalesce(t.fee_payer, t.tx_sender) = a.address THEN t.fee END), t.tx_sender]) AS sent
}
WITH a, item, busy, tx_in, received, tx_out, sent, busy OR tx_in > item.in_max OR tx_out > item.out_max AS hub
WITH a, busy, tx_in, tx_out, CASE WHEN hub THEN [] ELSE received END AS received, CASE WHEN hub THEN [] ELSE sent END AS sent
// Drivers decode many short rows in half the time of a long one.
UNWIND range(0, CASE WHEN size(received) > size(sent) THEN size(received) ELSE size(sent) END / $per_row) AS part
WITH a, busy, tx_in, tx_out, part, CASE WHEN part = 0 THEN a END AS first,
     received[part * $per_row..(part + 1) * $per_row] AS received, sent[part * $per_row..(part + 1) * $per_row] AS sent
RETURN a.key AS key, part, first.category AS category, first.scanned_at AS scanned_at, first.scan_complete AS scan_complete,
       first.read_lists AS read_lists, first.read_from AS read_from, first.read_to AS read_to, first.read_sources AS read_sources,
       first.balance_assets AS balance_assets, first.balance_at AS balance_at, first.balance_amounts AS balance_amounts,
       coalesce(first.is_contract, false) AS is_contract, coalesce(first.has_bridges, false) AS has_bridges,
       CASE WHEN NOT busy THEN tx_in END AS tx_in, CASE WHEN NOT busy THEN tx_out END AS tx_out, received, sent

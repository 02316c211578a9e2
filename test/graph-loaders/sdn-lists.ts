/**
 * The SDN list in both of its forms, built like the published files and of invented parties: what stands around an
 * address there stands around it here, in the same order.
 */

export const BITCOIN = '1FjdREJWf4CHPfr1DVnQVuMf8ouRVdiLxq';
export const TRON = 'TQtTBBMiv23XKo9aCygNim3h2yVJTkRXD8';
export const EVM = `0x${'a4'.repeat(20)}`;
export const OTHER_EVM = `0x${'a5'.repeat(20)}`;
export const LITECOIN = 'LaEWKH8Zu52mouQ4zT95pyvGL62YhfFBYy';

export const CLASSIC = `<?xml version="1.0" standalone="yes"?>
<sdnList xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/XML">
  <publshInformation>
    <Publish_Date>11/20/2026</Publish_Date>
    <Record_Count>3</Record_Count>
  </publshInformation>
  <sdnEntry>
    <uid>900001</uid>
    <firstName>Person One</firstName>
    <lastName>EXAMPLE &amp; TEST</lastName>
    <sdnType>Individual</sdnType>
    <remarks>(Linked To: EXAMPLE ENTITY TWO)</remarks>
    <programList><program>EXAMPLE2</program><program>EXAMPLE-EO1</program></programList>
    <idList>
      <id><uid>11</uid><idType>Passport</idType><idNumber>X0000001</idNumber><idCountry>Exampleland</idCountry></id>
      <id><uid>12</uid><idType>Digital Currency Address - XBT</idType><idNumber>${BITCOIN}</idNumber></id>
      <id><uid>13</uid><idType>Digital Currency Address - XBT</idType><idNumber>${TRON}</idNumber></id>
      <id><uid>14</uid><idType>Digital Currency Address - LTC</idType><idNumber>${LITECOIN}</idNumber></id>
    </idList>
    <akaList>
      <aka><uid>15</uid><type>a.k.a.</type><category>weak</category><lastName>EXAMPLE ALIAS</lastName><firstName>Someone</firstName></aka>
    </akaList>
    <addressList><address><uid>16</uid><city>Example City</city><country>Exampleland</country></address></addressList>
    <nationalityList><nationality><uid>17</uid><country>Exampleland</country><mainEntry>true</mainEntry></nationality></nationalityList>
    <dateOfBirthList><dateOfBirthItem><uid>18</uid><dateOfBirth>01 Jan 1970</dateOfBirth><mainEntry>true</mainEntry></dateOfBirthItem></dateOfBirthList>
  </sdnEntry>
  <sdnEntry>
    <uid>900002</uid>
    <lastName>EXAMPLE ENTITY TWO</lastName>
    <sdnType>Entity</sdnType>
    <programList><program>EXAMPLE2</program></programList>
    <idList><id><uid>21</uid><idType>Digital Currency Address - ETH</idType><idNumber>${EVM}</idNumber></id></idList>
  </sdnEntry>
  <sdnEntry>
    <uid>900003</uid>
    <lastName>EXAMPLE VESSEL</lastName>
    <sdnType>Vessel</sdnType>
    <programList><program>EXAMPLE2</program></programList>
    <vesselInfo><callSign>EXMPL</callSign><vesselType>Tug</vesselType></vesselInfo>
  </sdnEntry>
</sdnList>`;

interface Party {
  id: number;
  /** Of the primary alias, in the file's order: text and kind (1520 last name, 1521 first name, 1525 entity). */
  name: [text: string, kind: number][];
  features: string;
}

export const feature = (typeId: number, value: string, comment = '') =>
  `<Feature ID="${typeId}0" FeatureTypeID="${typeId}"><FeatureVersion ID="${typeId}1" ReliabilityID="1560">` +
  `<Comment>${comment}</Comment><VersionDetail DetailTypeID="1432">${value}</VersionDetail></FeatureVersion>` +
  `<IdentityReference IdentityID="1" IdentityFeatureLinkTypeID="1" /></Feature>`;

const part = (text: string, group: number, script = 215) =>
  `<DocumentedNamePart><NamePartValue NamePartGroupID="${group}" ScriptID="${script}" ScriptStatusID="1" Acronym="false">${text}</NamePartValue></DocumentedNamePart>`;

/** A party as the list writes it: an alias before the primary name, and a name in another script before the Latin one. */
const partyXml = ({ id, name, features }: Party) => `
    <DistinctParty FixedRef="${id}">
      <Comment />
      <Profile ID="${id}" PartySubTypeID="4">
        <Identity ID="1" FixedRef="${id}" Primary="true" False="false">
          <Alias FixedRef="${id}" AliasTypeID="1400" Primary="false" LowQuality="true">
            <DocumentedName ID="2" FixedRef="${id}" DocNameStatusID="2">${part('EXAMPLE ALIAS', 70)}</DocumentedName>
          </Alias>
          <Alias FixedRef="${id}" AliasTypeID="1403" Primary="true" LowQuality="false">
            <DocumentedName ID="3" FixedRef="${id}" DocNameStatusID="2">${part('例示', 80, 501)}</DocumentedName>
            <DocumentedName ID="4" FixedRef="${id}" DocNameStatusID="1">${name.map(([text], i) => part(text, i + 1)).join('')}</DocumentedName>
          </Alias>
          <NamePartGroups>${[...name.map(([, kind], i) => [i + 1, kind]), [70, 1525], [80, 1520]]
            .map(
              ([group, kind]) =>
                `<MasterNamePartGroup><NamePartGroup ID="${group}" NamePartTypeID="${kind}" /></MasterNamePartGroup>`,
            )
            .join('')}</NamePartGroups>
        </Identity>${features}
      </Profile>
    </DistinctParty>`;

const entryXml = (profile: number, list: number, ...days: [year: number, month: number, day: number][]) => `
    <SanctionsEntry ID="${profile}${list}" ProfileID="${profile}" ListID="${list}">${days
      .map(
        ([year, month, day], i) => `
      <EntryEvent ID="${i}" EntryEventTypeID="1" LegalBasisID="1"><Comment />
        <Date CalendarTypeID="1"><Year>${year}</Year><Month>${month}</Month><Day>${day}</Day></Date></EntryEvent>`,
      )
      .join('')}
      <SanctionsMeasure ID="1" SanctionsTypeID="1705"><Comment>BLOCKED</Comment><DatePeriod CalendarTypeID="1" /></SanctionsMeasure>
      <SanctionsMeasure ID="2" SanctionsTypeID="1"><Comment>${list === 1550 ? 'EXAMPLE2' : 'SECTORAL'}</Comment><DatePeriod CalendarTypeID="1" /></SanctionsMeasure>
    </SanctionsEntry>`;

export const PERSON: Party = {
  id: 900001,
  name: [
    ['EXAMPLE &amp; TEST', 1520],
    ['Person', 1521],
    ['One', 1522],
  ],
  features:
    feature(344, BITCOIN, 'No associated forks.') +
    feature(344, TRON) +
    feature(566, LITECOIN) +
    '<Feature ID="5" FeatureTypeID="8"><FeatureVersion ID="6" ReliabilityID="1"><DatePeriod CalendarTypeID="1"><Start Approximate="false"><From><Year>1970</Year><Month>1</Month><Day>1</Day></From></Start></DatePeriod><VersionDetail DetailTypeID="1430" /></FeatureVersion></Feature>' +
    '<Feature ID="7" FeatureTypeID="224"><FeatureVersion ID="8" ReliabilityID="1"><VersionDetail DetailTypeID="1431" DetailReferenceID="91526" /></FeatureVersion></Feature>',
};
export const ENTITY: Party = { id: 900002, name: [['EXAMPLE ENTITY TWO', 1525]], features: feature(345, EVM) };

export const advanced = (parties: Party[]) => `<?xml version="1.0" encoding="utf-8"?>
<Sanctions xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/ADVANCED_XML" Version="3">
  <DateOfIssue CalendarTypeID="1"><Year>2026</Year><Month>11</Month><Day>20</Day></DateOfIssue>
  <ReferenceValueSets>
    <AliasTypeValues><AliasType ID="1400">A.K.A.</AliasType><AliasType ID="1403">Name</AliasType></AliasTypeValues>
    <DocNameStatusValues><DocNameStatus ID="1">Primary Latin</DocNameStatus><DocNameStatus ID="2">Others</DocNameStatus></DocNameStatusValues>
    <EntryEventTypeValues><EntryEventType ID="1">Created</EntryEventType></EntryEventTypeValues>
    <FeatureTypeValues>
      <FeatureType ID="8" FeatureTypeGroupID="1">Birthdate</FeatureType>
      <FeatureType ID="224" FeatureTypeGroupID="1">Gender</FeatureType>
      <FeatureType ID="344" FeatureTypeGroupID="1">Digital Currency Address - XBT</FeatureType>
      <FeatureType ID="345" FeatureTypeGroupID="1">Digital Currency Address - ETH</FeatureType>
      <FeatureType ID="566" FeatureTypeGroupID="1">Digital Currency Address - LTC</FeatureType>
      <FeatureType ID="999" FeatureTypeGroupID="1">Digital Currency Address - NEWUSD</FeatureType>
    </FeatureTypeValues>
    <ListValues><List ID="1550">SDN List</List><List ID="91507">Sectoral Sanctions Identifications List</List></ListValues>
    <SanctionsTypeValues><SanctionsType ID="1">Program</SanctionsType><SanctionsType ID="1705">Block</SanctionsType></SanctionsTypeValues>
    <NamePartTypeValues><NamePartType ID="1520">Last Name</NamePartType><NamePartType ID="1521">First Name</NamePartType><NamePartType ID="1522">Middle Name</NamePartType><NamePartType ID="1525">Entity Name</NamePartType></NamePartTypeValues>
  </ReferenceValueSets>
  <Locations><Location ID="1"><LocationAreaCode AreaCodeID="1" /></Location></Locations>
  <IDRegDocuments><IDRegDocument ID="2" IDRegDocTypeID="1571" IdentityID="1" ValidityID="1"><IDRegistrationNo>X0000001</IDRegistrationNo>
    <DocumentDate IDRegDocDateTypeID="1481"><DatePeriod CalendarTypeID="1"><Start><From><Year>2020</Year><Month>1</Month><Day>1</Day></From></Start></DatePeriod></DocumentDate></IDRegDocument></IDRegDocuments>
  <DistinctParties>${parties.map(partyXml).join('')}
  </DistinctParties>
  <ProfileRelationships><ProfileRelationship ID="1" From-ProfileID="900001" To-ProfileID="900002" RelationTypeID="15003" RelationQualityID="1" Former="false" SanctionsEntryID="900001" /></ProfileRelationships>
  <SanctionsEntries>${entryXml(900001, 91507, [2014, 7, 16])}${entryXml(900001, 1550, [2023, 5, 2], [2022, 4, 14])}
  </SanctionsEntries>
</Sanctions>`;

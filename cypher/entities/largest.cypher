// Question: which members of entities moved the most money, each entity in its turn?
// Params: $id: ids of the entities, $limit
// Rows: place (from 0: which member of its entity it is, the largest first), id (of the entity), key, usd (0: none with a price); the
// first of all entities, then the second, of equal places the largest first
UNWIND $id AS id
MATCH (e:Entity {id: id})
MATCH (e)<-[:MEMBER]-(a:Address)
CALL (a) {
  MATCH (a)-[f:FLOW]-(:Address)
  RETURN coalesce(sum(f.usd), 0) AS usd
}
WITH id, a.key AS key, usd
ORDER BY usd DESC, key
WITH id, collect([key, usd]) AS all
WITH id, all[0..$limit] AS members
UNWIND range(0, size(members) - 1) AS place
WITH id, place, members[place] AS member
RETURN place, id, member[0] AS key, member[1] AS usd
ORDER BY place, usd DESC, key
LIMIT $limit

// Question: the same as apply.cypher; each address also gets its category as a label of its own (`Exchange`, `DexRouter`),
// because Neo4j Browser colours by label alone.
// Params: the same
// Rows: the same
UNWIND range(0, size($key) - 1) AS i
MATCH (a:Address {key: $key[i]})
OPTIONAL MATCH (a)-[:MEMBER]->(e:Entity)
WITH a, i, e.id AS holder, a.entity_id AS entity_before, [a.category, a.label, a.label_sure, a.entity_id] AS before
SET a.category = $category[i], a.label = $label[i], a.label_source = $label_source[i], a.entity_id = $entity_id[i],
  a.label_sure = $label_sure[i]
REMOVE a:Sanctioned:Darknet:Drainer:Scam:Theft:Ransomware:Terrorism:ChildAbuse:Mixer:HighRiskExchange:Gambling:Bridge:Exchange:Dex:DexRouter:Service
FOREACH (_ IN CASE WHEN a.category = 'sanctioned' THEN [1] ELSE [] END | SET a:Sanctioned)
FOREACH (_ IN CASE WHEN a.category = 'darknet' THEN [1] ELSE [] END | SET a:Darknet)
FOREACH (_ IN CASE WHEN a.category = 'drainer' THEN [1] ELSE [] END | SET a:Drainer)
FOREACH (_ IN CASE WHEN a.category = 'scam' THEN [1] ELSE [] END | SET a:Scam)
FOREACH (_ IN CASE WHEN a.category = 'theft' THEN [1] ELSE [] END | SET a:Theft)
FOREACH (_ IN CASE WHEN a.category = 'ransomware' THEN [1] ELSE [] END | SET a:Ransomware)
FOREACH (_ IN CASE WHEN a.category = 'terrorism' THEN [1] ELSE [] END | SET a:Terrorism)
FOREACH (_ IN CASE WHEN a.category = 'child_abuse' THEN [1] ELSE [] END | SET a:ChildAbuse)
FOREACH (_ IN CASE WHEN a.category = 'mixer' THEN [1] ELSE [] END | SET a:Mixer)
FOREACH (_ IN CASE WHEN a.category = 'high_risk_exchange' THEN [1] ELSE [] END | SET a:HighRiskExchange)
FOREACH (_ IN CASE WHEN a.category = 'gambling' THEN [1] ELSE [] END | SET a:Gambling)
FOREACH (_ IN CASE WHEN a.category = 'bridge' THEN [1] ELSE [] END | SET a:Bridge)
FOREACH (_ IN CASE WHEN a.category = 'exchange' THEN [1] ELSE [] END | SET a:Exchange)
FOREACH (_ IN CASE WHEN a.category = 'dex' THEN [1] ELSE [] END | SET a:Dex)
FOREACH (_ IN CASE WHEN a.category = 'dex_router' THEN [1] ELSE [] END | SET a:DexRouter)
FOREACH (_ IN CASE WHEN a.category = 'service' THEN [1] ELSE [] END | SET a:Service)
RETURN a.key AS key, entity_before, holder, before

// Labels: find a service by its name
// Part of a label or of an owner's name; upper and lower case are the same.
// :param name => 'tornado'
MATCH (a:Address)
WHERE a.category IS NOT NULL
  AND (toLower(a.label) CONTAINS toLower($name) OR toLower(a.entity_id) CONTAINS toLower($name))
RETURN a.key AS address, a.category AS category, a.label AS label, a.label_source AS label_source, a.entity_id AS owner
ORDER BY label, address
LIMIT 100;

import neo4j from 'neo4j-driver';

/** Deletes what an earlier suite left in a leased Neo4j. */
export async function emptyNeo4j(settings: Record<string, string>): Promise<void> {
  const { NEO4J_URI: uri = '', NEO4J_USER: user = '', NEO4J_PASSWORD: password = '' } = settings;
  const driver = neo4j.driver(uri, neo4j.auth.basic(user, password));
  try {
    await driver.executeQuery('MATCH (n) DETACH DELETE n');
  } finally {
    await driver.close();
  }
}

/**
 * Isolation forest (Liu, Ting, Zhou 2008): points that few random cuts set apart are unusual. Same seed and data,
 * same forest.
 */
export interface IsolationForest {
  sampleSize: number;
  trees: Tree[];
}

/** Nodes, each followed by its left branch: an inner node is [feature, cut, index of the right branch], a leaf [points]. */
type Tree = number[][];

export function fitForest(
  rows: readonly number[][],
  options: { trees: number; sampleSize: number; seed: number },
): IsolationForest {
  const random = mulberry32(options.seed);
  const size = Math.min(options.sampleSize, rows.length);
  const heightMax = Math.ceil(Math.log2(size));
  const trees = Array.from({ length: options.trees }, () => {
    const tree: Tree = [];
    grow(tree, sample(rows, size, random), heightMax, random);
    return tree;
  });
  return { sampleSize: size, trees };
}

/** 0-1: about 0.5 for usual points, near 1 for ones far off. */
export function isolationScore(forest: IsolationForest, row: readonly number[]): number {
  const depths = forest.trees.reduce((sum, tree) => sum + depthOf(tree, row), 0);
  return 2 ** (-depths / forest.trees.length / averageDepth(forest.sampleSize));
}

/** Numbers in [0, 1), the same for the same seed. */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One line of text for each tree, for the model file. */
export function writeTrees(forest: IsolationForest): string[] {
  return forest.trees.map((tree) => tree.map((node) => node.join('/')).join(' '));
}

export function readTrees(lines: readonly string[]): Tree[] {
  return lines.map((line) => line.split(' ').map((node) => node.split('/').map(Number)));
}

function grow(tree: Tree, rows: readonly number[][], heightLeft: number, random: () => number): number {
  const index = tree.push([rows.length]) - 1;
  const features = rows.length > 1 && heightLeft > 0 ? spreads(rows) : [];
  if (features.length === 0) return index;
  const { feature, low, high } = features[Math.floor(random() * features.length)]!;
  // Rounded so that the model file is small and reads back to the same numbers.
  const cut = Math.round((low + random() * (high - low)) * 1e4) / 1e4;
  const left = rows.filter((row) => row[feature]! < cut);
  const right = rows.filter((row) => row[feature]! >= cut);
  grow(tree, left, heightLeft - 1, random);
  tree[index] = [feature, cut, grow(tree, right, heightLeft - 1, random)];
  return index;
}

function spreads(rows: readonly number[][]): { feature: number; low: number; high: number }[] {
  return rows[0]!.flatMap((_, feature) => {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (const row of rows) {
      low = Math.min(low, row[feature]!);
      high = Math.max(high, row[feature]!);
    }
    return high > low ? [{ feature, low, high }] : [];
  });
}

function sample(rows: readonly number[][], size: number, random: () => number): number[][] {
  const pool = [...rows];
  for (let i = 0; i < size; i++) {
    const j = i + Math.floor(random() * (pool.length - i));
    [pool[i], pool[j]] = [pool[j]!, pool[i]!];
  }
  return pool.slice(0, size);
}

function depthOf(tree: Tree, row: readonly number[]): number {
  let at = 0;
  let depth = 0;
  for (let node = tree[at]!; node.length > 1; node = tree[at]!) {
    at = row[node[0]!]! < node[1]! ? at + 1 : node[2]!;
    depth++;
  }
  return depth + averageDepth(tree[at]![0]!);
}

/** Mean depth of an unsuccessful search in a binary tree of `n` points. */
function averageDepth(n: number): number {
  if (n <= 1) return 0;
  return n === 2 ? 1 : 2 * (Math.log(n - 1) + 0.5772156649) - (2 * (n - 1)) / n;
}

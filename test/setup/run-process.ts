/** The process that `childModule` starts: calls `run` of the module that its first argument names. */
const [path, ...rest] = process.argv.slice(2);
await (await import(path!)).run(...rest);

// sitemap.js: its stream of items over a file, as its own command line has it.
//
//     node with_sitemap_js.mjs HOME DOCUMENT SMALL
//
// HOME is the folder that npm installed into. Prints what benchmarks/process.py describes.

import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [home, path, small] = process.argv.slice(2);
const require = createRequire(join(home, 'package.json'));
const { LIMITS, XMLToSitemapItemStream } = require('sitemap');
// Of a document it gives no more than 50,000 entries, and no option says otherwise.
LIMITS.MAX_URL_ENTRIES = Infinity;
const { version } = JSON.parse(readFileSync(join(home, 'node_modules', 'sitemap', 'package.json'), 'utf-8'));

async function parse(name) {
  let found = 0;
  // What it remarks on would go to the terminal line by line.
  for await (const _ of createReadStream(name).pipe(new XMLToSitemapItemStream({ logger: false }))) found += 1;
  return found;
}

function peak() {
  const status = '/proc/self/status';
  const found = existsSync(status) && /VmHWM:\s+(\d+) kB/.exec(readFileSync(status, 'utf-8'));
  return (found ? Number(found[1]) : process.resourceUsage().maxRSS) * 1024;
}

await parse(small);
const start = process.cpuUsage();
const wall = performance.now();
const entries = await parse(path);
const { user, system } = process.cpuUsage(start);
process.stdout.write(
  JSON.stringify({
    entries,
    seconds: (user + system) / 1e6,
    wall: (performance.now() - wall) / 1e3,
    peak_mb: peak() / 1e6,
    version,
  }),
);

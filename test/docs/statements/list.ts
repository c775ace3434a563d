import { findGaps, statements } from './all.ts';

// Prints the contract's statements with their tests; exits with 1 when one has none.

const gaps = findGaps();
for (const { section, says, tests, untestable } of statements) {
  console.log(`${section.padEnd(12)}${says}`);
  for (const name of tests) console.log(`${' '.repeat(14)}${name}`);
  if (untestable) console.log(`${' '.repeat(14)}not testable: ${untestable}`);
}
const untestable = statements.filter((one) => one.untestable !== null).length;
console.log(`\n${statements.length} statements, ${untestable} not testable, ${gaps.length} gaps`);
for (const gap of gaps) console.error(`gap: ${gap}`);
process.exitCode = gaps.length > 0 ? 1 : 0;

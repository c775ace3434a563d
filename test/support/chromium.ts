import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaunchOptions } from 'playwright-core';
import manifest from '../../package.json' with { type: 'json' };

// The browser of the tests. A package of npm brings it along, packed, for Linux on x64; elsewhere one
// that is installed serves.

const root = join(import.meta.dirname, '../..');
const INSTALLED = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const version = manifest.devDependencies['@sparticuz/chromium'];
const UNPACKED = join(root, `node_modules/.cache/chromium-${version}`);

/** Unpacks the browser once, beside its place, so that one that is there is whole. */
const unpack = () => {
  if (existsSync(UNPACKED)) return;
  const making = mkdtempSync(`${UNPACKED}-`);
  const program = `await (await import('@sparticuz/chromium')).default.executablePath()`;
  // The package unpacks into the folder for temporary files, libraries as well if it sees a Lambda.
  const env = { ...process.env, TMPDIR: making, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };
  execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: root, env });
  // It names the fonts where a Lambda has them. Without any the browser ends, so they are found where they lie,
  // also in a checkout that was moved or copied.
  const fonts = join(making, 'fonts/fonts.conf');
  const text = readFileSync(fonts, 'utf8')
    .replace('<dir>/tmp/fonts</dir>', '<dir prefix="relative">.</dir>')
    .replace('/tmp/fonts-cache', join(UNPACKED, 'fonts-cache'));
  writeFileSync(fonts, text);
  try {
    renameSync(making, UNPACKED);
  } catch (error) {
    // Another process was first.
    if (!existsSync(UNPACKED)) throw error;
    rmSync(making, { recursive: true });
  }
};

const isPacked = process.platform === 'linux' && process.arch === 'x64';
const installed = process.env.CHROMIUM_PATH ?? (isPacked ? undefined : INSTALLED.find(existsSync));

/** Whether `chromiumOptions` finds a browser. */
export const hasChromium = isPacked || installed !== undefined;

/** How Playwright starts it. */
export const chromiumOptions = (): LaunchOptions => {
  if (installed !== undefined) return { executablePath: installed, args: FLAGS };
  unpack();
  return {
    executablePath: join(UNPACKED, 'chromium'),
    args: FLAGS,
    env: {
      ...process.env,
      // What a machine without a browser may lack.
      LD_LIBRARY_PATH: join(UNPACKED, 'al2023/lib'),
      FONTCONFIG_PATH: join(UNPACKED, 'fonts'),
    },
  };
};

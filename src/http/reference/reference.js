// The script of the reference and of the page of errors: theme, tabs, search, and sending requests.
// Secrets stay in this tab: they survive a reload, and end with the tab.

const root = document.documentElement;
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const themeSwitch = document.querySelector('[data-theme-switch]');
const showTheme = () => {
  const theme = localStorage.getItem('waybill-theme');
  if (theme) root.dataset.theme = theme;
  const isDark = theme ? theme === 'dark' : prefersDark.matches;
  themeSwitch.textContent = isDark ? 'Light' : 'Dark';
  themeSwitch.hidden = false;
};
themeSwitch.addEventListener('click', () => {
  localStorage.setItem('waybill-theme', themeSwitch.textContent.toLowerCase());
  showTheme();
});
prefersDark.addEventListener('change', showTheme);
showTheme();

root.dataset.language = localStorage.getItem('waybill-language') ?? 'curl';
const copy = async (button) => {
  const shown = all('pre', button.closest('.panel')).find((one) => one.offsetParent !== null);
  await navigator.clipboard.writeText(shown.textContent);
  button.textContent = 'Copied';
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 1500);
};
document.addEventListener('click', ({ target }) => {
  if (!(target instanceof HTMLButtonElement)) return;
  if (target.dataset.pick) {
    root.dataset.language = target.dataset.pick;
    localStorage.setItem('waybill-language', target.dataset.pick);
  }
  if ('copy' in target.dataset) copy(target);
});

const menu = document.querySelector('.menu');
const isNarrow = matchMedia('(max-width: 899px)');
const openMenu = () => {
  menu.open = !isNarrow.matches;
};
const search = () => {
  const field = menu.querySelector('input');
  field.hidden = false;
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase();
    for (const item of all('ul ul li', menu)) {
      const { textContent, firstElementChild } = item;
      item.hidden = !`${textContent} ${firstElementChild.hash}`.toLowerCase().includes(words);
    }
  });
  menu.addEventListener('click', ({ target }) => {
    if (target.closest('a') && isNarrow.matches) menu.open = false;
  });
  isNarrow.addEventListener('change', openMenu);
  openMenu();
};

const secrets = document.querySelector('#secrets');
const fillSecrets = () => {
  for (const input of all('input', secrets)) {
    const name = `waybill-${input.name}`;
    const { demo } = input.dataset;
    // Another run of the demo has another key.
    if (demo && sessionStorage.getItem(`${name}-demo`) !== demo) {
      sessionStorage.setItem(`${name}-demo`, demo);
      sessionStorage.setItem(name, demo);
    }
    input.value = sessionStorage.getItem(name) ?? '';
    input.addEventListener('input', () => sessionStorage.setItem(name, input.value.trim()));
  }
  secrets.addEventListener('submit', (event) => event.preventDefault());
};

/** The request that a form describes. */
const requestOf = (form) => {
  const { method, path, secret } = form.dataset;
  const headers = { Authorization: `Bearer ${secrets.elements[secret].value.trim()}` };
  const query = new URLSearchParams();
  let filled = path;
  for (const input of all('[data-in]', form)) {
    if (input.value === '') continue;
    const place = input.dataset.in;
    if (place === 'path')
      filled = filled.replace(`{${input.name}}`, encodeURIComponent(input.value));
    if (place === 'query') query.set(input.name, input.value);
    if (place === 'header') headers[input.name] = input.value;
  }
  const { body, file } = form.elements;
  if (body) headers['Content-Type'] = 'application/json';
  const upload = file && new FormData();
  upload?.append('file', file.files[0]);
  const url = `/api${filled}${query.size > 0 ? `?${query}` : ''}`;
  return { url, init: { method, headers, body: upload ?? body?.value } };
};

const SHOWN_MAX = 200_000;
const pretty = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** Reads an answer that may be a stream, showing what came so far. */
const readText = async (response, show) => {
  const decoder = new TextDecoder();
  let text = '';
  for (const reader = response.body?.getReader(); reader; ) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
    show(text.slice(0, SHOWN_MAX));
    if (text.length > SHOWN_MAX) {
      await reader.cancel();
      return `${text.slice(0, SHOWN_MAX)}\n…`;
    }
  }
  return text;
};

const send = async (form) => {
  const result = form.parentElement.querySelector('.result');
  const line = document.createElement('p');
  const output = document.createElement('pre');
  output.tabIndex = 0;
  result.replaceChildren(line, output);
  result.hidden = false;
  line.textContent = 'Sending…';
  const startedAt = performance.now();
  try {
    const { url, init } = requestOf(form);
    const response = await fetch(url, init);
    const took = Math.round(performance.now() - startedAt);
    line.textContent = `${response.status} ${response.statusText} · ${took} ms`;
    const shown = /^(x-|ratelimit|retry-after|idempotency)/;
    const headers = [...response.headers].filter(([name]) => shown.test(name));
    const head = headers.map(([name, value]) => `${name}: ${value}\n`).join('');
    const text = await readText(response, (part) => {
      output.textContent = `${head}\n${part}`;
    });
    output.textContent = `${head}\n${pretty(text)}`;
  } catch (error) {
    line.textContent = `No answer: ${error.message}`;
  }
};

if (menu) {
  search();
  fillSecrets();
  document.addEventListener('submit', (event) => {
    if (!event.target.dataset.path) return;
    event.preventDefault();
    send(event.target);
  });
}

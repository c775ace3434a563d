// A browser may name a language that it does not know itself, such as `en-US@posix`. `Intl` throws for it,
// and with it the library of charts, which asks for its numbers.

try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en' });
}

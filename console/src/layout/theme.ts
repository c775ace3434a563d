export type Theme = 'system' | 'light' | 'dark';

const KEY = 'waybill-theme';

export const storedTheme = (): Theme => {
  const stored = localStorage.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
};

/** Shows the theme, and keeps it for the next visit. */
export const applyTheme = (theme: Theme): void => {
  const { dataset } = document.documentElement;
  if (theme === 'system') {
    delete dataset.theme;
    localStorage.removeItem(KEY);
    return;
  }
  dataset.theme = theme;
  localStorage.setItem(KEY, theme);
};

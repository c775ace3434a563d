import type { IconName } from '../../ui/icon.tsx';

const icons: Readonly<Record<string, IconName>> = {
  start: 'play',
  message: 'chat',
  media: 'image',
  location: 'globe',
  template: 'file',
  buttons: 'pointer',
  list: 'list',
  question: 'question',
  condition: 'branch',
  switch: 'branch',
  set_variable: 'braces',
  delay: 'clock',
  business_hours: 'clock',
  http_request: 'link',
  handoff: 'user',
  end: 'flag',
};

/** A type of node that the console does not know yet looks like a message. */
export const iconOf = (type: string): IconName => icons[type] ?? 'chat';

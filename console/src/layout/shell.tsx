import { Link, Navigate, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { navigation } from '../navigation.ts';
import { isOfPerson, isTenant, type Session } from '../session/api.ts';
import { useScope, useSession } from '../session/session.tsx';
import { Ask } from '../ui/ask.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Logo } from '../ui/logo.tsx';
import { toast } from '../ui/toast.tsx';
import { NotReadyBanner } from './banner.tsx';
import { useKeptFocus } from './kept-focus.ts';
import { groups, isOpenTo, visibleTo } from './nav.ts';
import { NotForThis } from './not-for-this.tsx';
import { Shop, useAccount } from './shop.tsx';
import { applyTheme, storedTheme, type Theme } from './theme.ts';

const themes: readonly Theme[] = ['system', 'light', 'dark'];

const icons = { system: 'screen', light: 'sun', dark: 'moon' } as const;

const ThemeButton = () => {
  const [theme, setTheme] = useState(storedTheme);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] as Theme;
  return (
    <Button
      tone="quiet"
      onClick={() => {
        applyTheme(next);
        setTheme(next);
      }}
      aria-label={`Theme: ${theme}. Change to ${next}`}
      title={`Theme: ${theme}`}
    >
      <Icon name={icons[theme]} />
    </Button>
  );
};

/** The one box: any id, number or name. `/` brings the keyboard here from anywhere. */
const FindBox = () => {
  const input = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey } = event;
      const isTyping =
        target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
      const isCall = (key === '/' && !isTyping) || (key === 'k' && (ctrlKey || metaKey));
      if (!isCall || !input.current) return;
      event.preventDefault();
      input.current.focus();
      input.current.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const q = input.current?.value.trim() ?? '';
    if (q === '') return;
    void navigate({ to: '/find', search: { q } } as never);
    // The keyboard goes on with what is found, and `/` brings it back.
    document.querySelector<HTMLElement>('#content h1')?.focus();
  };
  return (
    <search className="find-box">
      <form onSubmit={submit}>
        <Icon name="search" />
        <input
          ref={input}
          type="search"
          name="q"
          maxLength={256}
          aria-label="Find a customer, an order or any id"
          placeholder="Number, name, order or any id"
          autoComplete="off"
          spellCheck={false}
        />
        <kbd>/</kbd>
      </form>
    </search>
  );
};

const whoIs = (
  session: Session,
  account: string | undefined,
): readonly [name: string, role: string] => {
  if (session.kind === 'administrator') return [session.name, session.role];
  const { person } = session;
  return person ? [person.name, person.role] : [account ?? '', 'signed in with an API key'];
};

const Who = () => {
  const { session, leave, choose } = useSession();
  const account = useAccount();
  const [name, role] = whoIs(session, account?.name);
  const accounts = (session.kind === 'key' && session.person?.accounts) || [];
  return (
    <div className="who">
      {accounts.length > 1 && session.kind === 'key' && (
        <select
          aria-label="Account"
          value={session.accountId}
          onChange={({ target }) => choose(target.value)}
        >
          {accounts.map(({ id, name: account }) => (
            <option key={id} value={id}>
              {account}
            </option>
          ))}
        </select>
      )}
      <span className="who-name" title={session.id}>
        {isOfPerson(session) ? <Link to={'/you' as never}>{name}</Link> : name}
      </span>
      <span className="muted small">{role}</span>
      <span className="row">
        <Button
          tone="quiet"
          onClick={() =>
            leave().catch((problem: Error) => toast(`Not signed out: ${problem.message}`))
          }
        >
          Sign out
        </Button>
        <Ask label="End all sessions" action="End them" button="quiet" submit={() => leave(true)}>
          <p>Signs you out here, and wherever else you are signed in with the same credential.</p>
        </Ask>
      </span>
    </div>
  );
};

const Navigation = () => {
  const { session } = useSession();
  const entries = visibleTo(navigation, session);
  return (
    <nav aria-label="Parts of the console">
      {groups.map((group) => {
        const own = entries.filter((entry) => entry.group === group);
        if (own.length === 0) return null;
        return (
          <div className="nav-group" key={group}>
            <div className="nav-title">{group}</div>
            {own.map(({ to, label, icon }) => (
              <Link
                key={to}
                to={to as never}
                className="nav-link"
                activeProps={{ className: 'nav-link nav-here', 'aria-current': 'page' }}
                activeOptions={{ exact: to === '/' }}
              >
                {icon && <Icon name={icon} />}
                {label}
              </Link>
            ))}
          </div>
        );
      })}
    </nav>
  );
};

/** Scrolls the list alone: `scrollIntoView` would also begin the next Tab there. */
const keepInSight = (list: Element, one: Element): void => {
  const [box, place] = [list.getBoundingClientRect(), one.getBoundingClientRect()];
  if (place.top < box.top) list.scrollTop -= box.top - place.top;
  else if (place.bottom > box.bottom) list.scrollTop += place.bottom - box.bottom;
};

/** What surrounds every page. On a narrow screen the navigation opens by a button. */
export const Shell = () => {
  const [isOpen, setOpen] = useState(false);
  const { session } = useSession();
  const mayFind = useScope('messages:read') || !isTenant(session);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  /** The page in the outlet: while the next one loads, that is not yet the one of the address. */
  const shown = useRouterState({ select: ({ matches }) => matches.at(-1)?.pathname ?? '' });
  const side = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes after each navigation
  useEffect(() => {
    setOpen(false);
    const link = side.current?.querySelector('nav [aria-current="page"]');
    if (link) keepInSight(link.closest('nav')!, link);
  }, [path]);
  useKeptFocus();
  const [first] = visibleTo(navigation, session);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOpen) side.current?.querySelector('a')?.focus();
  }, [isOpen]);
  const close = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !isOpen) return;
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div className={`shell ${isOpen ? 'shell-open' : ''}`}>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <aside className="side" ref={side} onKeyDown={close}>
        <Link to={'/' as never} className="side-logo">
          <Logo />
        </Link>
        <Navigation />
        <Who />
      </aside>
      <div className="main">
        <header className="top">
          <Button
            ref={button}
            tone="quiet"
            className="menu-button"
            aria-expanded={isOpen}
            aria-label="Navigation"
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name="menu" />
          </Button>
          <Shop />
          {mayFind && <FindBox />}
          <ThemeButton />
        </header>
        <NotReadyBanner />
        <main id="content" tabIndex={-1}>
          {isOpenTo(navigation, session, shown) ? (
            <Outlet />
          ) : shown === '/' && first ? (
            <Navigate to={first.to as never} replace />
          ) : (
            <NotForThis />
          )}
        </main>
      </div>
    </div>
  );
};

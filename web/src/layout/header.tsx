// The bar over every page but a table, which has its own.
import { Link, NavLink } from "react-router";
import { setPreferences, type Theme, usePreferences } from "../store/preferences";
import { Button } from "../ui/basic";
import { SignOut } from "./sign-in";

/** A server with an open arena says so in its page. */
const withArena = document.querySelector('meta[name="parlor-arena"]') !== null;

const PLACES: [string, string][] = [
  ["/", "Play"],
  ["/record", "Record"],
  ["/strategy", "Strategies"],
  ["/runs", "Runs"],
  ...(withArena ? [["/arena", "Arena"] as [string, string]] : []),
];

export function Header() {
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-panel/95 backdrop-blur">
      <div className="mx-auto flex max-w-7xl items-center gap-1 px-3 py-1.5 sm:gap-3 sm:px-5">
        <Link
          to="/"
          className="mr-1 flex shrink-0 items-center gap-2 rounded font-serif text-xl"
          aria-label="Parlor, to the start"
        >
          <img src="/icon.svg" alt="" width={28} height={28} />
          <span className="hidden sm:inline">Parlor</span>
        </Link>
        <nav aria-label="Pages" className="flex grow sm:gap-1">
          {PLACES.map(([to, text]) => (
            <NavLink
              key={to}
              to={to}
              end={to === "/"}
              className={({ isActive }) =>
                `rounded-md px-2 py-2 text-sm sm:px-3 ${isActive ? "bg-raised font-semibold" : "text-soft hover:text-ink"}`
              }
            >
              {text}
            </NavLink>
          ))}
        </nav>
        <SignOut />
        <ThemeSwitch />
      </div>
    </header>
  );
}

const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };
const SIGNS: Record<Theme, string> = { system: "◐", light: "☀", dark: "☾" };

export function ThemeSwitch() {
  const { theme } = usePreferences();
  return (
    <Button
      look="quiet"
      onClick={() => setPreferences({ theme: NEXT[theme] })}
      aria-label={`Colours: ${theme}. Change to ${NEXT[theme]}`}
      title={`Colours: ${theme}`}
    >
      <span aria-hidden className="text-lg leading-none">
        {SIGNS[theme]}
      </span>
    </Button>
  );
}

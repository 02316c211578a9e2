import { useShownLink } from '../browser/use-shown-link.ts';

interface SectionLinksProps {
  label: string;
  /** The parts of a page with their links. */
  links: { title: string; href: string; shown: boolean }[];
}

/** The navigation inside a page. */
export function SectionLinks({ label, links }: SectionLinksProps) {
  const nav = useShownLink(links.find(({ shown }) => shown)?.href);
  return (
    <nav ref={nav} class="section-links" aria-label={label}>
      {links.map(({ title, href, shown }) => (
        <a key={href} href={href} aria-current={shown ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}

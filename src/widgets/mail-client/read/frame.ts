/** Quotes as mail programs mark them; they are folded. */
const QUOTES = 'blockquote.sb-quote, blockquote.gmail_quote, blockquote[type=cite]'
/** Colours that the writer chose: such a letter keeps the white paper that it was made on. */
const COLOURED = /(?:\b(?:bgcolor|color)\s*=|\b(?:background(?:-color)?|color)\s*:)/iu

const SIZES = ['width', 'height']

/** What letters are written on that choose colours of their own. */
export const PAPER = { isDark: false, text: '#1f1f1f', ground: '#ffffff', link: '#1f5eff' }

/** What a letter is drawn with. */
interface Letter {
  /** HTML that the gateway has cleaned. */
  content: string
  /** The colours of the theme; paper is white. */
  colours: { isDark: boolean; text: string; ground: string; link: string }
  language: string
  /** What unfolds a quote; null where all of it stands, as on paper. */
  quoted: string | null
  /** Pictures inside of the mail, by their content ids, as data addresses. */
  inside: ReadonlyMap<string, string>
  /** Pictures from elsewhere that the reader trusts, by their place, as data addresses. */
  outside: ReadonlyMap<number, string>
}

/** Pictures that a letter names: those that came with it by content id, and how many lie elsewhere. */
export function picturesOf(content: string): { inside: string[]; outside: number } {
  const page = new DOMParser().parseFromString(content, 'text/html')
  const inside = [...page.querySelectorAll('img[src]')].flatMap((picture) => cidOf(picture) ?? [])
  return { inside: [...new Set(inside)], outside: page.querySelectorAll('img[data-src]').length }
}

function cidOf(picture: Element): string | null {
  const source = picture.getAttribute('src') ?? ''
  if (!/^cid:/iu.test(source)) return null
  const name = source.slice(4)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/**
 * The document of a letter's frame. It has a policy of its own: no scripts, no forms, nothing from elsewhere; pictures are data inside of it, links open a new
 * window. The frame around it has no origin and may not run anything either.
 */
export function frameDocument({ content, colours, language, quoted, inside, outside }: Letter): string {
  const page = new DOMParser().parseFromString(content, 'text/html')
  for (const active of page.querySelectorAll('script, style, link, meta, base, iframe, object, embed, form')) active.remove()
  for (const picture of page.querySelectorAll('img[src]')) {
    const id = cidOf(picture)
    const source = id === null ? undefined : inside.get(id)
    if (source === undefined) picture.removeAttribute('src')
    else picture.setAttribute('src', source)
  }
  page.querySelectorAll('img[data-src]').forEach((picture, place) => {
    const source = outside.get(place)
    picture.removeAttribute('data-src')
    // what nobody can see is there to count readers
    if (SIZES.some((name) => Number(picture.getAttribute(name) ?? 9) < 3)) picture.setAttribute('data-tiny', '')
    if (source !== undefined) picture.setAttribute('src', source)
  })
  for (const quote of quoted === null ? [] : page.querySelectorAll(QUOTES)) {
    if (quote.parentElement?.closest('details, blockquote')) continue
    const folded = page.createElement('details')
    const handle = page.createElement('summary')
    handle.textContent = '•••'
    handle.title = quoted ?? ''
    handle.setAttribute('aria-label', quoted ?? '')
    quote.replaceWith(folded)
    folded.append(handle, quote)
  }
  const onDark = colours.isDark && !COLOURED.test(content)
  const { text, ground, link } = onDark ? colours : PAPER
  const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
  const style = `
    html { color-scheme: ${onDark ? 'dark' : 'light'}; background: ${ground}; }
    body { margin: 0; padding: 16px; color: ${text}; font: 14px/1.57 system-ui, -apple-system, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif; overflow-wrap: break-word; }
    img { max-width: 100%; } img:not([src]) { display: inline-block; min-width: 16px; min-height: 16px; border: 1px dashed #8c8c8c; border-radius: 2px; } img[data-tiny] { display: none; }
    table { max-width: 100%; } pre { white-space: pre-wrap; } a { color: ${link}; }
    blockquote { margin: 8px 0 8px 4px; padding-left: 12px; border-left: 2px solid #8c8c8c66; }
    summary { display: inline-block; padding: 0 8px; margin: 8px 0; line-height: 16px; letter-spacing: 1px; border-radius: 8px; background: #8c8c8c33; cursor: pointer; list-style: none; }
    summary::-webkit-details-marker { display: none; }`
  const head = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="referrer" content="no-referrer"><style>${style}</style>`
  return `<!doctype html><html lang="${language}"><head>${head}</head><body>${page.body.innerHTML}</body></html>`
}

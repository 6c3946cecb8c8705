import sanitize from 'sanitize-html'
import { shallow } from './nesting'
import { LONGEST_HTML } from './words'

/** Rises with every change of what is let through: what was cleaned by an older one is cleaned again from the raw message. */
export const HTML_VERSION = 2

const LENGTH = '-?\\d{1,4}(?:\\.\\d{1,3})?(?:px|pt|em|rem|%|ex)?'
const LENGTHS = new RegExp(`^(?:(?:${LENGTH}|auto)\\s*){1,4}$`)
const COLOUR = /^(?:#[0-9a-f]{3,8}|[a-z]{3,24}|rgba?\([\d\s.,%]{3,40}\)|hsla?\([\d\s.,%deg]{3,40}\))$/i
const WORD = /^(?:[a-z-]{2,24}|\d{3})$/i
const BORDER = /^[\w#.%()\s,-]{1,80}$/i

const styled = (names: string, value: RegExp): Record<string, RegExp[]> =>
  Object.fromEntries(names.split(' ').map((name) => [name, [value]]))
const sided = (name: string): string => `${name} ${['top', 'right', 'bottom', 'left'].map((side) => `${name}-${side}`).join(' ')}`

/** Styles without addresses, positions and layers: nothing leaves, nothing covers the page around the mail. */
const STYLES: Record<string, RegExp[]> = {
  ...styled('color background-color border-color border-top-color border-bottom-color', COLOUR),
  ...styled(
    'width max-width min-width height font-size line-height letter-spacing text-indent',
    new RegExp(`^(?:${LENGTH}|[a-z-]{2,24})$`),
  ),
  ...styled(`${sided('margin')} ${sided('padding')}`, LENGTHS),
  ...styled(`${sided('border')} border-radius border-width`, BORDER),
  ...styled('text-align vertical-align font-weight font-style text-decoration white-space word-break', WORD),
  ...styled('border-collapse border-style list-style-type text-transform direction', WORD),
  ...styled('font-family', /^[\w\s"',-]{1,200}$/u),
  ...styled('display', /^(?:block|inline|inline-block|table|table-row|table-cell|none)$/),
}

const TAGS = (
  'a abbr address article b big blockquote br caption center cite code col colgroup dd del div dl dt em figure figcaption font footer h1 h2 h3 h4 h5 h6 header ' +
  'hr i img ins kbd li main mark ol p pre q s section small span strike strong sub sup table tbody td tfoot th thead tr tt u ul var wbr'
).split(' ')

/** What a mail shows, and what of it waits for trust. */
export interface CleanHtml {
  html: string
  /** It was longer than what is kept. */
  cut: boolean
  /** Pictures that would be loaded from elsewhere; their addresses stand in `data-src`. */
  remoteImages: number
}

/** HTML of a mail with nothing in it that runs, loads or leaves; pictures from elsewhere wait for the reader's trust. */
export function cleanHtml(html: string): CleanHtml {
  const cut = html.length > LONGEST_HTML
  let remoteImages = 0
  const clean = sanitize(shallow(html.slice(0, LONGEST_HTML)), {
    allowedTags: TAGS,
    allowedAttributes: {
      '*': ['style', 'align', 'valign', 'dir', 'lang', 'title', 'width', 'height', 'bgcolor'],
      a: ['href', 'name', 'rel', 'target'],
      img: ['src', 'data-src', 'alt', 'border'],
      font: ['color', 'face', 'size'],
      table: ['border', 'cellpadding', 'cellspacing'],
      td: ['colspan', 'rowspan', 'nowrap'],
      th: ['colspan', 'rowspan', 'nowrap'],
      ol: ['start', 'type'],
      blockquote: ['class', 'type'],
    },
    allowedClasses: { blockquote: ['sb-quote', 'gmail_quote'] },
    allowedStyles: { '*': STYLES },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['cid', 'http', 'https'] },
    allowedSchemesAppliedToAttributes: ['href', 'src', 'data-src'],
    allowProtocolRelative: false,
    nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title', 'template', 'xmp', 'iframe', 'svg', 'math'],
    transformTags: {
      a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, target: '_blank', rel: 'noopener noreferrer nofollow' } }),
      img: (tagName, { src = '', ...attribs }) => {
        if (src.toLowerCase().startsWith('cid:')) return { tagName, attribs: { ...attribs, src } }
        if (!/^https?:/iu.test(src)) return { tagName, attribs }
        remoteImages += 1
        return { tagName, attribs: { ...attribs, 'data-src': src } }
      },
    },
  })
  return { html: clean, cut, remoteImages }
}

/** The addresses of pictures that wait for trust, in the order of the HTML. */
export const pictureAddresses = (html: string): string[] =>
  [...html.matchAll(/<img [^>]*?data-src="([^"]*)"/giu)].map(([, address = '']) => address.replace(/&amp;/gu, '&'))

import { theme } from 'antd'

/** Pictures of a mail are shown when it is read; here they would only be asked for. */
const PICTURES = / src="cid:[^"]*"/gu

/** HTML of another mail in a frame of its own: it reaches nothing around it, and what is around it does not change it. */
export const QuoteFrame = ({ html, title }: { html: string; title: string }) => {
  const { token } = theme.useToken()
  const style = `body{margin:8px 12px;font:14px/1.57 sans-serif;color:${token.colorText};background:${token.colorBgContainer};overflow-wrap:anywhere}
blockquote{margin:0 0 0 8px;padding-left:12px;border-left:2px solid ${token.colorBorder}}a{color:${token.colorLink}}img{max-width:100%}p{margin:0 0 8px}`
  return (
    <iframe
      className="sb-mail-quote"
      title={title}
      sandbox=""
      srcDoc={`<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><style>${style}</style></head><body>${html.replace(PICTURES, '')}</body></html>`}
    />
  )
}

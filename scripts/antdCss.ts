import { extractStyle } from '@ant-design/static-style-extract'
import {
  Alert,
  Badge,
  Button,
  Checkbox,
  ConfigProvider,
  DatePicker,
  Dropdown,
  Input,
  Menu,
  Modal,
  Radio,
  Select,
  Skeleton,
  Space,
  Spin,
  Switch,
  Tag,
  Tooltip,
  message,
  theme,
} from 'antd'
import { createElement } from 'react'
import type { ReactNode } from 'react'
import { Visitor, type ESTree, type Plugin } from 'vite'
import { themeConfig } from '../src/runtime/themeConfig'

/**
 * antd writes its styles with JavaScript while components mount: a good part of the time of a form. Here the styles of what
 * pages are full of are written once, at build time, into a file that antd then finds and leaves alone. What is not in it
 * (a tree, a calendar of another kind) still comes by JavaScript, so the list below is about speed and weight and never about looks.
 *
 * The file follows the antd version and the tokens in src/shell/theme; it serves both themes, because the tokens are CSS
 * variables in it.
 */
const COMMON: readonly ReactNode[] = [
  createElement(Alert, { key: 'alert' }),
  createElement(Badge, { key: 'badge' }),
  createElement(Button, { key: 'button' }),
  createElement(Checkbox, { key: 'checkbox' }),
  createElement(DatePicker, { key: 'date' }),
  createElement(Dropdown, { key: 'dropdown', menu: { items: [] }, children: createElement('i') }),
  createElement(Input, { key: 'input' }),
  createElement(Input.TextArea, { key: 'textarea' }),
  createElement(Input.Search, { key: 'search' }),
  createElement(Menu, { key: 'menu' }),
  createElement(message._InternalPanelDoNotUseOrYouWillBeFired, { key: 'message' }),
  createElement(Modal, { key: 'modal' }),
  createElement(Radio.Group, { key: 'radio', options: ['a'] }),
  createElement(Select, { key: 'select' }),
  createElement(Skeleton, { key: 'skeleton' }),
  createElement(Space, { key: 'space' }),
  createElement(Space.Compact, { key: 'compact' }),
  createElement(Spin, { key: 'spin' }),
  createElement(Switch, { key: 'switch' }),
  createElement(Tag, { key: 'tag' }),
  createElement(Tooltip, { key: 'tooltip' }),
]

export const antdCss = (): string =>
  extractStyle(() =>
    createElement(
      'div',
      null,
      (['light', 'dark'] as const).map((name) =>
        createElement(
          ConfigProvider,
          { key: name, theme: themeConfig(name, { light: theme.defaultAlgorithm, dark: theme.darkAlgorithm }) },
          COMMON,
        ),
      ),
    ),
  )

/** The styles in the file by the names that antd's components give them (`Input-Shared`), from the paths that the file lists for antd. */
const namesIn = (css: string): ReadonlySet<string> => {
  const paths = /data-ant-cssinjs-cache-path\{content:"([^"]*)"/.exec(css)?.[1] ?? ''
  return new Set(paths.split(';').map((path) => path.split('|')[1] ?? ''))
}

/** `Input-Shared` of `genStyleHooks(['Input', 'Shared'], …)`, `Tag-Tag` of `genStyleHooks('Tag', …)`. */
const nameOf = (component: ESTree.Argument): string => {
  const cells = component.type === 'ArrayExpression' ? component.elements : [component, component]
  return cells.map((cell) => (cell?.type === 'Literal' ? String(cell.value) : '')).join('-')
}

/**
 * Leaves out of a build the functions that write what the file holds: antd never calls them where it finds the style in the file. A build that does
 * not link the file must keep them.
 */
export const antdStylesPlugin = (): Plugin => {
  const inFile = namesIn(antdCss())
  return {
    name: 'antd-styles',
    apply: 'build',
    transform(code, id) {
      if (!/\/antd\/es\/.*\/style\/[^/]*\.js$/.test(id)) return null
      const written: { start: number; end: number }[] = []
      new Visitor({
        CallExpression(call) {
          const [component, style] = call.arguments
          const { callee } = call
          if (callee.type !== 'Identifier' || !/^gen(StyleHooks|ComponentStyleHook)$/.test(callee.name)) return
          if (component && style && inFile.has(nameOf(component))) written.push(style)
        },
      }).visit(this.parse(code))
      if (written.length === 0) return null
      const slim = written
        .sort((a, b) => b.start - a.start)
        .reduce((text, { start, end }) => `${text.slice(0, start)}() => []${text.slice(end)}`, code)
      return { code: slim, map: null }
    },
  }
}

/** Puts the file into a build and, unless `link` is false, into the head of its page. */
export const antdCssPlugin = ({ link = true, fileName }: { link?: boolean; fileName?: string } = {}): Plugin => ({
  name: 'antd-css',
  apply: 'build',
  buildStart() {
    this.emitFile({ type: 'asset', source: antdCss(), ...(fileName ? { fileName } : { name: 'antd.css' }) })
  },
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) => {
      const file = Object.values(bundle ?? {}).find(
        (part) => part.type === 'asset' && /(^|\/)antd(-[\w-]+)?\.css$/.test(part.fileName),
      )
      return link && file
        ? [{ tag: 'link', attrs: { rel: 'stylesheet', href: `/${file.fileName}` }, injectTo: 'head-prepend' }]
        : []
    },
  },
})

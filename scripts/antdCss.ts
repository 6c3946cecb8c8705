import { extractStyle } from '@ant-design/static-style-extract'
import {
  Alert,
  Button,
  Checkbox,
  ConfigProvider,
  DatePicker,
  Dropdown,
  Input,
  Radio,
  Select,
  Skeleton,
  Space,
  Spin,
  Switch,
  Tag,
  theme,
} from 'antd'
import { createElement } from 'react'
import type { ReactNode } from 'react'
import type { Plugin } from 'vite'
import { themeConfig } from '../src/runtime/themeConfig'

/**
 * antd writes its styles with JavaScript while components mount: a good part of the time of a form. Here the styles of what
 * pages are full of are written once, at build time, into a file that antd then finds and leaves alone. What is not in it
 * (a tree, a calendar of another kind) still comes by JavaScript, so the list below is about speed and never about looks.
 *
 * The file follows the antd version and the tokens in src/shell/theme; it serves both themes, because the tokens are CSS
 * variables in it.
 */
const COMMON: readonly ReactNode[] = [
  createElement(Alert, { key: 'alert' }),
  createElement(Button, { key: 'button' }),
  createElement(Checkbox, { key: 'checkbox' }),
  createElement(DatePicker, { key: 'date' }),
  createElement(Dropdown, { key: 'dropdown', menu: { items: [] }, children: createElement('i') }),
  createElement(Input, { key: 'input' }),
  createElement(Input.TextArea, { key: 'textarea' }),
  createElement(Input.Search, { key: 'search' }),
  createElement(Radio.Group, { key: 'radio', options: ['a'] }),
  createElement(Select, { key: 'select' }),
  createElement(Skeleton, { key: 'skeleton' }),
  createElement(Space, { key: 'space' }),
  createElement(Space.Compact, { key: 'compact' }),
  createElement(Spin, { key: 'spin' }),
  createElement(Switch, { key: 'switch' }),
  createElement(Tag, { key: 'tag' }),
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

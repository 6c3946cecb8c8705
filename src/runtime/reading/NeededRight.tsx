import { useHost } from '../hostContext'
import { useCall } from './useCall'

interface Needed {
  /** What the right is called in the menu; empty when nobody can grant it by itself. */
  names: readonly string[]
  /** Who can grant it. */
  ask: readonly string[]
}
interface NeededRightProps {
  /** The permission key that the gateway named. */
  permission?: string
  /** The route of the page that may not be opened. */
  router?: string
}

const TEXTS = {
  zh: {
    somebody: '系统管理员',
    list: new Intl.ListFormat('zh-CN', { type: 'disjunction' }),
    plain: (ask: string) => `请联系${ask}开通权限。`,
    named: (right: string, ask: string) => `需要权限“${right}”。请联系${ask}开通。`,
  },
  en: {
    somebody: 'a system administrator',
    list: new Intl.ListFormat('en', { type: 'disjunction' }),
    plain: (ask: string) => `Ask ${ask} for access.`,
    named: (right: string, ask: string) => `You need the right “${right}”. Ask ${ask} to grant it.`,
  },
}

/** One sentence: which right is missing, in the words of the menu, and whom to ask for it. Part of a paragraph. */
const NeededRight = ({ permission, router }: NeededRightProps) => {
  const { locale } = useHost()
  const texts = TEXTS[locale]
  const query = { ...(permission === undefined ? {} : { key: permission }), ...(router === undefined ? {} : { router }) }
  const { data } = useCall<Needed>({ method: 'GET', path: '/v2/sys/staff/permission/needed', query })
  const ask = data && data.ask.length > 0 ? texts.list.format(data.ask) : texts.somebody
  return data && data.names.length > 0 ? texts.named(texts.list.format(data.names), ask) : texts.plain(ask)
}
export default NeededRight

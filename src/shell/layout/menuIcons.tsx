import * as icons from './iconSet'

/** An icon by its name in the module documents; an unknown name gives the general one. Loaded after the first paint. */
function MenuIcon({ name }: { name: string | null }) {
  const Icon = icons.ICONS[name ?? ''] ?? icons.ICONS.appstore
  return Icon ? <Icon aria-hidden /> : null
}

export default MenuIcon

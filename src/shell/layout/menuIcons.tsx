import { ICONS } from '../../runtime/icon/iconSet'

/** An icon by its name in the module documents; an unknown name gives the general one. Draw it inside a Suspense. */
export function MenuIcon({ name }: { name: string | null }) {
  const Icon = ICONS[name ?? ''] ?? ICONS.appstore
  return Icon ? <Icon aria-hidden /> : null
}

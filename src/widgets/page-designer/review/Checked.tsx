import { Checkbox, Tag } from 'antd'
import { useHost } from '../../../runtime/hostContext'
import { designerTexts } from '../texts'
import { roleName, type Companion, type Impact, type ReleaseDifference, type TargetState } from '../types'

const keyOf = ({ target, role }: Companion): string => `${target}|${role ?? ''}`

interface CompanionsProps {
  companions: readonly Companion[]
  roles: TargetState['roles']
  chosen: readonly Companion[]
  onChoose(next: Companion[]): void
}

/** The other open drafts: which of them are released along. */
export const Companions = ({ companions, roles, chosen, onChoose }: CompanionsProps) => {
  const { locale } = useHost()
  const texts = designerTexts[locale]
  return (
    <>
      <h3 id="sb-design-along">{texts.along}</h3>
      <Checkbox.Group
        aria-labelledby="sb-design-along"
        className="sb-design-along"
        value={chosen.map(keyOf)}
        onChange={(keys) => onChoose(companions.filter((one) => keys.includes(keyOf(one))))}
        options={companions.map((one) => ({
          value: keyOf(one),
          label: texts.alongOf(
            one.title[locale],
            one.role === null ? one.target : roleName(roles, one.role, locale),
            one.by.name[locale],
          ),
        }))}
      />
    </>
  )
}

interface DifferencesProps {
  differences: readonly ReleaseDifference[]
  accepted: ReadonlySet<string>
  onAccept(id: string, yes: boolean): void
}

/** What a release changes; risky differences are confirmed one by one. */
export const Differences = ({ differences, accepted, onAccept }: DifferencesProps) => {
  const { locale } = useHost()
  const texts = designerTexts[locale]
  if (differences.length === 0) return <p>{texts.noDifferences}</p>
  return (
    <ul className="sb-design-differences">
      {differences.map(({ id, text, risk }) => (
        <li key={id}>
          {risk && <Tag color="orange">{texts.risk}</Tag>}
          {text[locale]}
          {risk && (
            <Checkbox
              checked={accepted.has(id)}
              aria-label={`${texts.confirmRisk}: ${text[locale]}`}
              onChange={(event) => onAccept(id, event.target.checked)}
            >
              {texts.confirmRisk}
            </Checkbox>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Whom and what a release concerns beside the documents. */
export const ImpactLines = ({ impact, roles }: { impact: Impact; roles: TargetState['roles'] }) => {
  const { locale } = useHost()
  const texts = designerTexts[locale]
  const { personalSettings, savedViews, links, variants, listeners = [], exports = 0, imports = 0 } = impact
  const lines = [
    ...(personalSettings > 0 ? [texts.impactPersonal(personalSettings)] : []),
    ...(savedViews > 0 ? [texts.impactViews(savedViews)] : []),
    ...(links.length > 0 ? [texts.impactLinks(links.map(({ title }) => title[locale]))] : []),
    ...(variants.length > 0 ? [texts.impactVariants(variants.map((role) => roleName(roles, role, locale)))] : []),
    ...(listeners.length > 0 ? [texts.impactListeners(listeners.map(({ module, on }) => `${module} (${on})`))] : []),
    ...(exports + imports > 0 ? [texts.impactTransfer(exports, imports)] : []),
  ]
  if (lines.length === 0) return <p>{texts.impactNone}</p>
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

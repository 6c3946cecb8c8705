import { useHost } from '../../../../runtime/hostContext'
import type { ProcessDocument } from '../../../../schema/generated/process'
import { useDesign } from '../../editor/design'
import { Items } from '../panel/Items'
import { processTexts } from '../texts'

const MOMENTS = ['agreed', 'started', 'returned', 'rejected', 'withdrawn'] as const

/** What is done when something happens to an application. */
export const EndEffects = ({ document, onChange }: { document: ProcessDocument; onChange(document: ProcessDocument): void }) => {
  const texts = processTexts[useHost().locale]
  const { language } = useDesign()
  return (
    <div className="sb-process-effects">
      <p className="sb-design-lead">{texts.effectsHelp}</p>
      {MOMENTS.map((moment) => (
        <Items
          key={moment}
          label={texts.effects[moment]}
          at={`effects/${moment}`}
          name="effects"
          item={language.definition('Effect')}
          value={document.effects?.[moment] ?? []}
          onChange={(next) => {
            const { [moment]: _before, ...others } = document.effects ?? {}
            const effects = next ? { ...others, [moment]: next as NonNullable<ProcessDocument['effects']>['agreed'] } : others
            const { effects: _all, ...rest } = document
            onChange(Object.keys(effects).length === 0 ? rest : { ...rest, effects })
          }}
        />
      ))}
    </div>
  )
}

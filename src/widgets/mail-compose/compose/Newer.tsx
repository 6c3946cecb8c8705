import { Button } from 'antd'
import { useHost } from '../../../runtime/hostContext'
import { momentText } from '../../../runtime/reading/moment'
import type { Letter, StoredDraft } from './calls'
import { composeTexts } from './texts'
import { letterOf } from './start'
import { QuoteFrame } from './QuoteFrame'

interface NewerProps {
  here: Letter
  there: StoredDraft
  onKeep(): void
  onTake(letter: Letter): void
}

/** The draft of this device beside the newer one of another: one of them is chosen, neither is lost before. */
export const Newer = ({ here, there, onKeep, onTake }: NewerProps) => {
  const host = useHost()
  const texts = composeTexts[host.locale]
  const other = letterOf(there, here.accountId)
  return (
    <section className="sb-mail-newer" role="alertdialog" aria-labelledby="sb-mail-newer">
      <h2 id="sb-mail-newer">{texts.newerTitle}</h2>
      <p>{texts.newerText}</p>
      <div className="sb-write-both">
        {[
          { title: texts.here, letter: here, label: texts.keepHere, run: onKeep },
          {
            title: texts.there(momentText(host, there.updatedAt)),
            letter: other,
            label: texts.takeThere,
            run: () => onTake(other),
          },
        ].map(({ title, letter, label, run }) => (
          <article key={label}>
            <h3>{title}</h3>
            <p>
              {texts.to}: {letter.to.map(({ name, email }) => name || email).join(', ') || '—'}
              <br />
              {texts.subject}: {letter.subject || texts.noSubject}
            </p>
            <QuoteFrame html={letter.body} title={title} />
            <Button onClick={run}>{label}</Button>
          </article>
        ))}
      </div>
    </section>
  )
}

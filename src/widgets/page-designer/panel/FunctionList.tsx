import { Input } from 'antd'
import { useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { functionHelp } from '../language/functions'
import { designerTexts } from '../texts'

/** The functions of expressions, found by name or by what they do; a click writes one. */
const FunctionList = ({ onTake }: { onTake(name: string): void }) => {
  const { locale } = useHost()
  const texts = designerTexts[locale]
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const found = functionHelp(locale).filter(({ signature, summary }) => `${signature} ${summary}`.toLowerCase().includes(wanted))
  return (
    <div className="sb-design-functions">
      <Input
        size="small"
        type="search"
        aria-label={texts.searchFunctions}
        placeholder={texts.searchFunctions}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <dl>
        {found.map(({ name, signature, summary, example }) => (
          <div key={name}>
            <dt>
              <button type="button" className="sb-link sb-design-mono" onClick={() => onTake(name)}>
                {signature}
              </button>
            </dt>
            <dd>
              {summary} <code>{example}</code>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
export default FunctionList

import { useEffect, useRef } from 'react'
import { isPlace, type KbDocument } from '../chat/wire'
import { useAnswerHost } from '../markdown/Answer'

interface SourcesProps {
  documents: readonly KbDocument[]
  /** The number of the one that is open. */
  opened: number | null
  onOpen: (number: number | null) => void
}

/** The documents that an answer stands on, numbered as it cites them; one opens with what it says there. */
export const Sources = ({ documents, opened, onOpen }: SourcesProps) => {
  const { texts } = useAnswerHost()
  return (
    <section className="sb-sources" aria-label={texts.sources}>
      <h4>{texts.sources}</h4>
      <ol>
        {documents.map((document, index) => (
          <Source
            key={index}
            document={document}
            number={index + 1}
            isOpen={opened === index + 1}
            onToggle={() => onOpen(opened === index + 1 ? null : index + 1)}
          />
        ))}
      </ol>
    </section>
  )
}

interface SourceProps {
  document: KbDocument
  number: number
  isOpen: boolean
  onToggle: () => void
}

const Source = ({ document: { documentName, documentUrl, section, quote }, number, isOpen, onToggle }: SourceProps) => {
  const { texts, go } = useAnswerHost()
  const line = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isOpen) line.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  return (
    <li ref={line}>
      <button type="button" aria-expanded={isOpen} onClick={onToggle}>
        <span className="sb-source-number">{number}</span>
        <bdi>{[documentName, section].filter((part) => part !== '').join(' · ')}</bdi>
      </button>
      {isOpen && (
        <div className="sb-source-quote">
          {quote !== '' && <blockquote>{quote}</blockquote>}
          {isPage(documentUrl) && (
            <a
              href={documentUrl}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return
                event.preventDefault()
                go(documentUrl)
              }}
            >
              {texts.openSource}
            </a>
          )}
        </div>
      )}
    </li>
  )
}

/** Help has no page of its own: what it says stands here. */
const isPage = (address: string): boolean => isPlace(address) && !address.startsWith('/help')

import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import { bracketMatching, defaultHighlightStyle, foldGutter, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { search, searchKeymap } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useRef, useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { isObject, sameContent } from '../../../schema/overlay'
import type { Problem } from '../../../schema/problem'
import { addressOf, positionsOf, splitPointer } from '../document/address'
import { useDesign, type Design } from '../editor/design'
import { designerTexts } from '../texts'
import { completeJson } from './complete'
import { darkHighlightStyle, PHRASES } from './phrases'
import { cursorAt, rangeOf } from './cursor'

interface Props {
  /** Address of the chosen part: the text shows it. */
  chosen: string
  problems: readonly Problem[]
  /** The cursor stands in another part. */
  onChosen(at: string): void
}

const print = (document: unknown): string => JSON.stringify(document, null, 2)

const read = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const parseFault = jsonParseLinter()

/** The document as text, checked while it is typed; what is no JSON stays here until it is. */
const JsonEditor = ({ chosen, problems, onChosen }: Props) => {
  const host = useHost()
  const { locale, theme } = host
  const texts = designerTexts[locale]
  const design = useDesign()
  const [element, setElement] = useState<HTMLElement | null>(null)
  const [view, setView] = useState<EditorView | null>(null)
  const newest = useRef<{ design: Design; onChosen(at: string): void }>({ design, onChosen })
  useEffect(() => {
    newest.current = { design, onChosen }
  })

  useEffect(() => {
    if (!element) return
    const made = new EditorView({
      parent: element,
      state: EditorState.create({
        doc: print(newest.current.design.document),
        extensions: [
          lineNumbers(),
          foldGutter(),
          history(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          json(),
          syntaxHighlighting(theme === 'dark' ? darkHighlightStyle : defaultHighlightStyle),
          EditorState.phrases.of({ ...PHRASES[locale] }),
          autocompletion({ override: [completeJson(() => newest.current.design, locale)] }),
          lintGutter(),
          search({ top: true }),
          keymap.of([...defaultKeymap, ...historyKeymap, ...completionKeymap, ...searchKeymap, ...lintKeymap, indentWithTab]),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': 'JSON' }),
          EditorView.theme({ '&': { height: '460px', fontSize: '12px' } }, { dark: theme === 'dark' }),
          EditorView.updateListener.of((update) => {
            const { design: now, onChosen: tell } = newest.current
            if (update.docChanged) {
              const document = read(update.state.doc.toString())
              if (isObject(document)) {
                if (!sameContent(document, now.document)) now.edit(document, 'json')
              } else queueMicrotask(() => update.view.dispatch(setDiagnostics(update.view.state, parseFault(update.view))))
            }
            if (update.selectionSet && update.view.hasFocus) {
              const { steps } = cursorAt(update.state, update.state.selection.main.head)
              tell(addressOf(now.document, steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')))
            }
          }),
        ],
      }),
    })
    setView(made)
    return () => made.destroy()
  }, [element, locale, theme])

  // What was changed elsewhere (undo, a merge) comes into the text; what is being typed stays as it is.
  const { document } = design
  useEffect(() => {
    if (!view) return
    const text = view.state.doc.toString()
    const shown = read(text)
    if (shown === undefined || sameContent(shown, document)) return
    view.dispatch({ changes: { from: 0, to: text.length, insert: print(document) } })
  }, [view, document])

  useEffect(() => {
    if (!view || read(view.state.doc.toString()) === undefined) return
    const found = problems.map((problem): Diagnostic => {
      const range = rangeOf(view.state, splitPointer(problem.at)) ?? { from: 0, to: 0 }
      const hint = problem.hint ? ` (${problem.hint}?)` : ''
      return { ...range, severity: problem.severity, message: `${problem.message[locale]}${hint}` }
    })
    view.dispatch(setDiagnostics(view.state, found))
  }, [view, problems, locale])

  useEffect(() => {
    if (!view || chosen === '') return
    const range = rangeOf(view.state, positionsOf(newest.current.design.document, chosen))
    const { head } = view.state.selection.main
    if (!range || (head >= range.from && head <= range.to)) return
    view.dispatch({ selection: { anchor: range.from }, effects: EditorView.scrollIntoView(range.from, { y: 'center' }) })
  }, [view, chosen])

  return (
    <>
      <div ref={setElement} className="sb-design-json" />
      <small className="sb-design-help">{texts.jsonHelp}</small>
    </>
  )
}
export default JsonEditor

import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { FileService } from '../platform/files'
import { ServiceError, type RequestContext } from '../platform/http'
import { composePaper, type ComposeParts } from './compose'
import type { PaperLanguage } from './content'
import { draw } from './thread'

/** Changes whenever papers of the same content look different: they are drawn anew. */
const LOOK = 1

export interface PaperAsked {
  /** Its name: fin.bill. */
  paper: string
  recordId: string
  language: PaperLanguage
}

interface PaperFile {
  /** With its ending. */
  name: string
  type: 'application/pdf'
  content: Buffer
}

interface PaperParts extends ComposeParts {
  files: Pick<FileService, 'hung' | 'hang'>
}

/**
 * Papers of records as PDF. What was drawn stays in the file store with its record: the same content is the same file.
 *
 *   const papers = new Papers({ schemas, engine, files, timeZone })
 *   registerPaperRoutes(app, papers)
 */
export class Papers {
  constructor(private readonly parts: PaperParts) {}

  /** @throws ServiceError 10010004 for a paper that there is not, or a record that the caller does not see */
  async make(context: RequestContext, { paper: name, recordId, language }: PaperAsked): Promise<PaperFile> {
    const paper = this.parts.schemas.paper(name)
    if (!paper)
      throw new ServiceError('notFound', {
        message: { zh: `没有名为 ${name} 的单据样式。`, en: `There is no paper ${name}.` },
      })
    const { content, file } = await composePaper(this.parts, paper, context, { recordId, language })
    const { madeAt: _madeAt, ...said } = content
    const hash = createHash('sha256')
      .update(JSON.stringify([LOOK, name, recordId, language, said]))
      .digest('hex')
    const id = `paper-${hash.slice(0, 32)}`
    const made = { name: `${file}.pdf`, type: 'application/pdf' } as const
    const known = await this.parts.files.hung(id)
    if (known) return { ...made, content: await buffer(known) }
    const bytes = await draw(content)
    await this.parts.files.hang({ id, name: made.name, entity: paper.entity, recordId, bytes, by: context.user.staffId })
    return { ...made, content: bytes }
  }
}

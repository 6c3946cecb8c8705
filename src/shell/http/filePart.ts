import { loadPart } from '../../runtime/part/loadPart'

const IMAGES = ['jpeg', 'jpg', 'png', 'gif']
const DOCUMENTS = ['txt', 'pdf', 'doc', 'docx', 'xls', 'xlsx', 'ppt', 'pptx']

/** How a file is shown (R267-R269). */
export function previewKind(name: string): 'image' | 'window' | 'unsupported' {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  if (IMAGES.includes(extension)) return 'image'
  return DOCUMENTS.includes(extension) ? 'window' : 'unsupported'
}

/** What saves and shows files comes with the first of them. */
export const filePart = () => loadPart(() => import('./files'))

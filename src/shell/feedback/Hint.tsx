import DOMPurify from 'dompurify'

/** What administrators tell people of feedback: formatted words, nothing that runs or loads. */
const Hint = ({ html }: { html: string }) => (
  <div
    className="sb-hint"
    dangerouslySetInnerHTML={{
      __html: DOMPurify.sanitize(html, { ALLOWED_TAGS: ['p', 'br', 'strong', 'em', 'ul', 'ol', 'li'] }),
    }}
  />
)
export default Hint

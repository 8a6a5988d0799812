/* import/fbx/fbx_guard.h: checks that a file is FBX and that its sizes can be trusted by a library
   which does not check them.

   Place in the path: before the FBX reader.
   Input: untrusted bytes.
   Output: yes, or an error. */
#ifndef OSSAI_IMPORT_FBX_GUARD_H
#define OSSAI_IMPORT_FBX_GUARD_H

#include "scene/builder.h"

bool ossai_fbx_detect(const uint8_t *bytes, size_t size);

/* Binary files: every record within the one around it, no deeper than 64, every array as long as
   its bytes can hold (packed ones at zlib's best ratio), all of them together within the context's
   memory limit. ASCII files: no deeper than 64, no array longer than the file. Versions before 7.1
   are refused by their number.
   `unpacked`: bytes of the file with its arrays unpacked.  Errors: OSSA_ERROR_INPUT with the offset
   or line; OSSA_ERROR_LIMIT.  Warning: "sets-left-out", as the library leaves them out in
   silence. */
ossa_status ossai_fbx_check(ossa_context *context, const ossai_source *source, size_t *unpacked);

#endif

/* ossa/ossa.h: the whole public interface, in the order data flows.

   A call with several results takes NULL for each that the caller does not need, unless it says
   otherwise. */
#ifndef OSSA_H
#define OSSA_H

#include <ossa/version.h>
#include <ossa/status.h>
#include <ossa/context.h>
#include <ossa/files.h>
#include <ossa/options.h>
#include <ossa/mesh.h>
#include <ossa/inspect.h>
#include <ossa/frames.h>
#include <ossa/rig.h>
#include <ossa/dependencies.h>
#include <ossa/rest_pose.h>
#include <ossa/clip.h>
#include <ossa/edit_motion.h>
#include <ossa/ik.h>
#include <ossa/loops.h>
#include <ossa/read.h>
#include <ossa/stream.h>
#include <ossa/stages.h>
#include <ossa/landmarks.h>
#include <ossa/material.h>
#include <ossa/contraction.h>
#include <ossa/volume.h>
#include <ossa/volume_stages.h>
#include <ossa/examples.h>
#include <ossa/error_curve.h>
#include <ossa/sequence.h>
#include <ossa/metrics.h>
#include <ossa/holdout.h>
#include <ossa/motion.h>
#include <ossa/fit.h>
#include <ossa/delta_mush.h>
#include <ossa/shapes.h>
#include <ossa/retarget.h>
#include <ossa/transfer.h>
#include <ossa/method.h>
#include <ossa/characters.h>
#include <ossa/write.h>
#include <ossa/lods.h>
#include <ossa/target.h>
#include <ossa/edit.h>
#include <ossa/report.h>
#include <ossa/picture.h>

#endif

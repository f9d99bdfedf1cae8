// <assert.h> for NVRTC, which knows assert by itself.
#pragma once

; SPDX-License-Identifier: BSD-2-Clause
; As bursts, without a fence: what retires in order waits for the division all the same.
%define PLAIN
%include "bursts.inc"

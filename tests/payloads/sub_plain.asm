; SPDX-License-Identifier: BSD-2-Clause
; As sub, without MMX.
%define PLAIN
%include "sub.inc"

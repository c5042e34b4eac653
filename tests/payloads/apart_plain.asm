; SPDX-License-Identifier: BSD-2-Clause
; As apart, without MMX.
%define PLAIN
%include "apart.inc"

; SPDX-License-Identifier: BSD-2-Clause
%include "sub.inc"

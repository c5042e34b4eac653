; SPDX-License-Identifier: BSD-2-Clause
%include "bursts.inc"

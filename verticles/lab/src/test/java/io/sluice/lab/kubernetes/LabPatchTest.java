package io.sluice.lab.kubernetes;

import io.sluice.lab.api.LabServer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;

/** On the lab's API. */
@DisplayName("F5, F12: a size is patched under the current fence alone, whatever the API server answers")
@ExtendWith(LabServer.class)
class LabPatchTest extends PatchContract {}

package io.sluice.lab.kubernetes;

import io.sluice.lab.api.LabServer;
import org.junit.jupiter.api.extension.ExtendWith;

/** On the lab's API. */
@ExtendWith(LabServer.class)
class LabScalingEventsTest extends ScalingEventsContract {}

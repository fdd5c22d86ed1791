package io.sluice.lab.api;

import org.junit.jupiter.api.extension.ExtendWith;

/** On the lab's API. */
@ExtendWith(LabServer.class)
class LabPodResizeTest extends PodResizeContract {}

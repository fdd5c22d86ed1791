package io.sluice.kube.contract;

import io.sluice.kube.server.OnKubernetes;
import io.sluice.kube.server.RealServer;
import io.sluice.lab.api.PodResizeContract;
import org.junit.jupiter.api.extension.ExtendWith;

/** On a real API server. */
@OnKubernetes
@ExtendWith(RealServer.class)
class RealPodResizeTest extends PodResizeContract {}

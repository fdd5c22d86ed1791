package io.sluice.kube.contract;

import io.sluice.kube.server.OnKubernetes;
import io.sluice.kube.server.RealServer;
import io.sluice.lab.kubernetes.ScalingEventsContract;
import org.junit.jupiter.api.extension.ExtendWith;

/** On a real API server. */
@OnKubernetes
@ExtendWith(RealServer.class)
class RealScalingEventsTest extends ScalingEventsContract {}

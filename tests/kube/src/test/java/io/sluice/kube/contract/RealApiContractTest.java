package io.sluice.kube.contract;

import io.sluice.kube.server.OnKubernetes;
import io.sluice.kube.server.RealServer;
import io.sluice.lab.api.ApiServerContract;
import org.junit.jupiter.api.extension.ExtendWith;

/** Shows that the contract of the lab's API is the behavior of a real API server. */
@OnKubernetes
@ExtendWith(RealServer.class)
class RealApiContractTest extends ApiServerContract {}

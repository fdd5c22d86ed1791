package io.sluice.neonvm.api;

import io.vertx.core.Future;

/** Objects are written to an API server. */
class ApiServerWritesTlsTest extends ApiServerTlsTest {
    @Override
    protected Future<KubernetesApi.Answer> send(KubernetesApi api) {
        return api.merge("Pod", "/api/v1/namespaces/a/pods/b", "{}");
    }
}

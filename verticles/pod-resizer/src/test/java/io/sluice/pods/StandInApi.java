package io.sluice.pods;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The client of an API server whose answers a test makes up. */
final class StandInApi {
    private StandInApi() {}

    @FunctionalInterface
    private interface Method {
        Object call(Object... args);
    }

    static KubernetesClient client(Function<HttpRequest, CompletableFuture<HttpResponse<String>>> answers) {
        var http = stub(
                HttpClient.class,
                Map.of(
                        "newHttpRequestBuilder",
                        args -> new StandardHttpRequest.Builder(),
                        "sendAsync",
                        args -> answers.apply((HttpRequest) args[0])));
        var config = new ConfigBuilder().withMasterUrl("http://127.0.0.1:1/").build();
        return stub(KubernetesClient.class, Map.of("getHttpClient", args -> http, "getConfiguration", args -> config));
    }

    /** An answer with the status that its body names, or 200. */
    @SuppressWarnings("unchecked")
    static HttpResponse<String> response(JsonNode body) {
        int code = body.path("code").asInt(200);
        return stub(HttpResponse.class, Map.of("code", args -> code, "body", args -> body.toString()));
    }

    private static <T> T stub(Class<T> type, Map<String, Method> methods) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, args) -> methods.get(method.getName()).call(args)));
    }
}

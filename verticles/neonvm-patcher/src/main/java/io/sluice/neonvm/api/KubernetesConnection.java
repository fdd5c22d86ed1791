package io.sluice.neonvm.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;

/** Creates the one Kubernetes client of the process, from its config alone: without kubeconfig or environment. */
public final class KubernetesConnection {
    private KubernetesConnection() {}

    /**
     * Returns a client that the caller closes. It opens no connection yet.
     *
     * @param meters count its lists and watches
     * @throws IllegalArgumentException if a file that the config names cannot be read
     */
    public static KubernetesClient open(KubernetesConfig config, MeterRegistry meters) {
        readable("kubernetes.caFile", config.caFile());
        readable("kubernetes.tokenFile", config.tokenFile());
        var builder = new ConfigBuilder(Config.empty())
                .withMasterUrl(config.url())
                .withAutoConfigure(false)
                .withRequestTimeout(Math.toIntExact(config.requestTimeout().toMillis()))
                .withConnectionTimeout(Math.toIntExact(config.requestTimeout().toMillis()))
                // The JDK's client has one HTTP/2 connection. It fails requests beyond the streams of that connection
                // and opens no other.
                .withHttp2Disable(true)
                // The client would repeat a patch by itself, perhaps after its permit has lapsed.
                .withRequestRetryBackoffLimit(0);
        if (!config.caFile().isEmpty()) {
            builder.withCaCertFile(config.caFile());
        }
        if (!config.tokenFile().isEmpty()) {
            builder.withOauthTokenProvider(new TokenFile(Path.of(config.tokenFile()), System::nanoTime));
        }
        return new KubernetesClientBuilder()
                .withHttpClientFactory(new WithoutRedirects())
                .withConfig(builder.build())
                .withKubernetesSerialization(kinds())
                .withHttpClientBuilderConsumer(
                        http -> http.addOrReplaceInterceptor(WatchMetrics.class.getName(), new WatchMetrics(meters)))
                .build();
    }

    /** As {@link #open(KubernetesConfig, MeterRegistry)}, without metrics of lists and watches. */
    public static KubernetesClient open(KubernetesConfig config) {
        return open(config, new CompositeMeterRegistry());
    }

    /**
     * The client knows one type, Status. To look for all its types would load hundreds of classes into every process. A
     * watch whose version is too old ends with a Status, and the client lists anew only if it knows that type.
     */
    private static KubernetesSerialization kinds() {
        var kinds = new KubernetesSerialization(new ObjectMapper(), false);
        kinds.registerKubernetesResource(Status.class);
        return kinds;
    }

    private static void readable(String key, String file) {
        if (!file.isEmpty() && !Files.isReadable(Path.of(file))) {
            throw new IllegalArgumentException(key + "=" + file + " must be a file that can be read; '' is for none");
        }
    }

    /** The client would follow every redirect, and show its token wherever one leads. */
    private static final class WithoutRedirects extends JdkHttpClientFactory {
        @Override
        protected void additionalConfig(HttpClient.Builder http) {
            http.followRedirects(HttpClient.Redirect.NEVER);
        }
    }
}

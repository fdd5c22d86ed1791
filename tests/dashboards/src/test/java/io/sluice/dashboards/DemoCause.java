package io.sluice.dashboards;

import java.net.URI;
import java.net.http.HttpRequest;
import java.util.Set;

/**
 * What makes alerts fire in the demo: the first from its start, the others when a test provokes them; the last ends it.
 */
enum DemoCause {
    CERTIFICATE("a listener's certificate is valid for ten days only", "SluiceCertificateEnds") {
        @Override
        void provoke(Demo demo) {}
    },
    TOKENS(
            "permit requests with tokens that the embedded API server does not review",
            "SluiceTokenReviewsFail",
            "SluiceAgentsTurnedAway") {
        @Override
        void provoke(Demo demo) {
            demo.send(
                    ENOUGH,
                    HttpRequest.newBuilder(URI.create("http://" + demo.agentApi() + "/"))
                            .header("Authorization", "Bearer none")
                            .POST(HttpRequest.BodyPublishers.ofString("{}")));
        }
    },
    CREDENTIALS("requests to the console without its token", "SluiceCredentialsRefused") {
        @Override
        void provoke(Demo demo) {
            demo.send(ENOUGH, HttpRequest.newBuilder(URI.create("http://" + demo.console() + "/api/fleet")));
        }
    },
    NODE("a node's condition Ready is False", "SluiceNodeNotReady") {
        @Override
        void provoke(Demo demo) {
            demo.send(1, merge(demo, "/api/v1/nodes/node-c/status", """
                {"status": {"conditions": [{"type": "Ready", "status": "False"}]}}\
                """));
        }
    },
    POD("another scheduler binds a pod of 1 TiB", "SluicePodsWithoutRoom", "SluiceNodeOver") {
        @Override
        void provoke(Demo demo) {
            demo.send(1, pod(demo, "stray", "1Ti"));
        }
    },
    AMOUNTS("pods whose sum does not fit into 64 bits", "SluiceCountsOverflow") {
        @Override
        void provoke(Demo demo) {
            demo.send(1, pod(demo, "huge", "7E"));
            demo.send(1, pod(demo, "huge-too", "7E"));
        }
    },
    OBJECT("bounds of a VM that cannot be read", "SluiceObjectsUnreadable") {
        @Override
        void provoke(Demo demo) {
            demo.send(1, merge(demo, "/apis/vm.neon.tech/v1/namespaces/default/virtualmachines/mailer", """
                {"metadata": {"annotations": {"autoscaling.neon.tech/bounds": "nonsense"}}}\
                """));
        }
    },
    END("the process is killed", "SluiceDown") {
        @Override
        void provoke(Demo demo) {
            demo.close();
        }
    };

    private static final int ENOUGH = 120;

    static HttpRequest.Builder merge(Demo demo, String path, String patch) {
        return HttpRequest.newBuilder(URI.create("http://" + demo.kubernetes() + path))
                .header("Content-Type", "application/merge-patch+json")
                .method("PATCH", HttpRequest.BodyPublishers.ofString(patch));
    }

    static HttpRequest.Builder pod(Demo demo, String name, String memory) {
        return HttpRequest.newBuilder(URI.create("http://" + demo.kubernetes() + "/api/v1/namespaces/default/pods"))
                .POST(HttpRequest.BodyPublishers.ofString("""
                    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "default"},
                     "spec": {"nodeName": "node-a",
                              "containers": [{"name": "c", "resources": {"requests": {"memory": "%s"}}}]},
                     "status": {"phase": "Running"}}
                    """.formatted(name, memory)));
    }

    private final String text;
    private final Set<String> alerts;

    DemoCause(String text, String... alerts) {
        this.text = text;
        this.alerts = Set.of(alerts);
    }

    abstract void provoke(Demo demo);

    Set<String> alerts() {
        return alerts;
    }

    String text() {
        return text;
    }
}

package io.sluice.dashboards;

import java.net.URI;
import java.net.http.HttpRequest;
import java.util.Set;

/**
 * What makes an alert fire in the demo, from its first scrape on or when a test provokes it; the last ends the demo.
 */
enum DemoCause {
    CERTIFICATE("a listener's certificate is valid for ten days only", "SluiceCertificateEnds") {
        @Override
        void provoke(Demo demo) {}

        @Override
        boolean isProvokedLater() {
            return false;
        }
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
    END("the process is killed", "SluiceDown") {
        @Override
        void provoke(Demo demo) {
            demo.close();
        }
    };

    private static final int ENOUGH = 120;

    private final String text;
    private final Set<String> alerts;

    DemoCause(String text, String... alerts) {
        this.text = text;
        this.alerts = Set.of(alerts);
    }

    abstract void provoke(Demo demo);

    /** Whether its alerts must not fire before. */
    boolean isProvokedLater() {
        return true;
    }

    Set<String> alerts() {
        return alerts;
    }

    String text() {
        return text;
    }
}

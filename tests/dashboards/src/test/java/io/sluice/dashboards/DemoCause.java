package io.sluice.dashboards;

import java.net.URI;
import java.net.http.HttpRequest;

/**
 * What makes an alert fire in the demo, from its first scrape on or when a test provokes it; the last ends the demo.
 */
enum DemoCause {
    CERTIFICATE("SluiceCertificateEnds", "a listener's certificate is valid for ten days only") {
        @Override
        void provoke(Demo demo) {}

        @Override
        boolean isProvokedLater() {
            return false;
        }
    },
    TOKENS("SluiceAgentsDistrusted", "permit requests with a token that is none") {
        @Override
        void provoke(Demo demo) {
            demo.send(
                    ENOUGH,
                    HttpRequest.newBuilder(URI.create("http://" + demo.agentApi() + "/"))
                            .header("Authorization", "Bearer none")
                            .POST(HttpRequest.BodyPublishers.ofString("{}")));
        }
    },
    CREDENTIALS("SluiceCredentialsRefused", "requests to the console without its token") {
        @Override
        void provoke(Demo demo) {
            demo.send(ENOUGH, HttpRequest.newBuilder(URI.create("http://" + demo.console() + "/api/fleet")));
        }
    },
    END("SluiceDown", "the process is killed") {
        @Override
        void provoke(Demo demo) {
            demo.close();
        }
    };

    private static final int ENOUGH = 120;

    private final String alert;
    private final String text;

    DemoCause(String alert, String text) {
        this.alert = alert;
        this.text = text;
    }

    abstract void provoke(Demo demo);

    /** Whether the alert must not fire before. */
    boolean isProvokedLater() {
        return true;
    }

    String alert() {
        return alert;
    }

    String text() {
        return text;
    }
}

package io.sluice.workers.identity;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** Trusts what was issued by the authority of one fingerprint, whose certificate the other side presents. */
public final class PinnedAuthority implements X509TrustManager {
    private final String fingerprint;

    /** @param fingerprint of the authority's certificate */
    public PinnedAuthority(String fingerprint) {
        this.fingerprint = fingerprint;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String method) throws CertificateException {
        var last = chain[chain.length - 1];
        if (!ClientIdentity.fingerprint(last.getEncoded()).equals(fingerprint)) {
            throw new CertificateException("the scheduler has not the authority that the token names");
        }
        try {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            store.setCertificateEntry("authority", last);
            var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            ((X509TrustManager) factory.getTrustManagers()[0]).checkServerTrusted(chain, method);
        } catch (GeneralSecurityException | IOException failed) {
            throw new CertificateException(failed);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String method) throws CertificateException {
        throw new CertificateException("it trusts no client");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}

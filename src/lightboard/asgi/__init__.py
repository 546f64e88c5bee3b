"""What HTTP apps share: errors, host check, compression, assets."""
